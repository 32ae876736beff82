/**
 * Patterns in which `*` matches any number of characters, and every other character itself: for
 * names of indices, fields, settings, nodes and response keys.
 */

/** Whether a pattern matches a whole name; linear in both. */
export function matchesWildcard(pattern: string, name: string): boolean {
  const asterisk = pattern.indexOf('*')
  if (asterisk < 0) return pattern === name
  // Most names differ ahead of it, and nothing is split for them.
  for (let i = 0; i < asterisk; i++) if (pattern.charCodeAt(i) !== name.charCodeAt(i)) return false
  return matchesPieces(pattern.split('*'), name)
}

/**
 * The same for a pattern that is split at its asterisks already.
 * @param pieces min one
 */
export function matchesPieces(pieces: readonly string[], name: string): boolean {
  const first = pieces[0]!
  if (pieces.length === 1) return name === first
  const last = pieces[pieces.length - 1]!
  const end = name.length - last.length
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false
  // The leftmost occurrence of each inner piece: greedy matching suffices.
  let offset = first.length
  for (let i = 1; i < pieces.length - 1; i++) {
    const piece = pieces[i]!
    const found = name.indexOf(piece, offset)
    if (found < 0 || found + piece.length > end) return false
    offset = found + piece.length
  }
  return true
}

/** Whether some name matches a pattern of each of two lists. */
export function patternsOverlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some(one => others.some(other => haveCommonName(one, other)))
}

/**
 * Whether a name matches both patterns: a table of which rests of the two have one, row by row from the
 * ends. Takes the product of their lengths.
 */
function haveCommonName(one: string, other: string): boolean {
  // Most patterns differ ahead of their first asterisk.
  for (let i = 0; i < one.length && i < other.length; i++) {
    if (one[i] === '*' || other[i] === '*') break
    if (one[i] !== other[i]) return false
  }
  let below = new Array<boolean>(other.length + 1).fill(false)
  for (let i = one.length; i >= 0; i--) {
    const row = new Array<boolean>(other.length + 1).fill(false)
    for (let j = other.length; j >= 0; j--) {
      if (i === one.length && j === other.length) row[j] = true
      else if (one[i] === '*') row[j] = below[j]! || (j < other.length && row[j + 1]!)
      else if (other[j] === '*') row[j] = row[j + 1]! || (i < one.length && below[j]!)
      else row[j] = i < one.length && j < other.length && one[i] === other[j] && below[j + 1]!
    }
    below = row
  }
  return below[0]!
}
