/** How alike two words are: 1 for the same, 0 for none in common; float32, as Lucene counts them. */

/** Names of the measures; `internal` is that of the automaton that finds the words. */
export type StringDistance =
  | 'internal'
  | 'damerau_levenshtein'
  | 'levenshtein'
  | 'jaro_winkler'
  | 'ngram'

const f32 = Math.fround

/** The measures; null for the one that takes no look at the words. */
export const STRING_DISTANCES: Readonly<
  Record<StringDistance, ((a: string, b: string) => number) | null>
> = {
  internal: null,
  damerau_levenshtein: damerauLevenshtein,
  levenshtein,
  jaro_winkler: jaroWinkler,
  ngram,
}

/** Edits of code points, swaps of neighbours included, by the shorter word. */
function damerauLevenshtein(a: string, b: string): number {
  const first = [...a]
  const second = [...b]
  if (first.length === 0 || second.length === 0)
    return first.length === second.length ? 0 : Math.max(first.length, second.length)
  const width = second.length + 1
  const costs = new Int32Array((first.length + 1) * width)
  for (let i = 0; i <= first.length; i++) costs[i * width] = i
  for (let j = 0; j < width; j++) costs[j] = j
  for (let i = 1; i <= first.length; i++)
    for (let j = 1; j < width; j++) {
      const cost = first[i - 1] === second[j - 1] ? 0 : 1
      const at = i * width + j
      let best = Math.min(costs[at - width]! + 1, costs[at - 1]! + 1, costs[at - width - 1]! + cost)
      const isSwap =
        i > 1 && j > 1 && first[i - 1] === second[j - 2] && first[i - 2] === second[j - 1]
      if (isSwap) best = Math.min(best, costs[at - 2 * width - 2]! + cost)
      costs[at] = best
    }
  return f32(1 - f32(costs[costs.length - 1]! / Math.min(first.length, second.length)))
}

/** Edits of UTF-16 units, by the longer word. */
function levenshtein(a: string, b: string): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0
  let before = Array.from({ length: a.length + 1 }, (_, i) => i)
  for (let j = 1; j <= b.length; j++) {
    const row = [j]
    for (let i = 1; i <= a.length; i++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      row.push(Math.min(row[i - 1]! + 1, before[i]! + 1, before[i - 1]! + cost))
    }
    before = row
  }
  return f32(1 - f32(before[a.length]! / Math.max(a.length, b.length)))
}

/** Above it, common beginnings count. */
const JARO_THRESHOLD = f32(0.7)

/** Units in common that stand near each other, and beginnings in common (Winkler 1990). */
function jaroWinkler(a: string, b: string): number {
  const [long, short] = a.length > b.length ? [a, b] : [b, a]
  const range = Math.max(Math.trunc(long.length / 2) - 1, 0)
  const isTaken = new Uint8Array(long.length)
  const matched: string[] = []
  for (let i = 0; i < short.length; i++) {
    const end = Math.min(i + range + 1, long.length)
    for (let at = Math.max(i - range, 0); at < end; at++) {
      if (isTaken[at] !== 0 || short[i] !== long[at]) continue
      isTaken[at] = 1
      matched.push(short[i]!)
      break
    }
  }
  const matches = matched.length
  if (matches === 0) return 0
  const inLong = [...isTaken.keys()].filter(at => isTaken[at] === 1).map(at => long[at]!)
  const moved = matched.filter((unit, i) => unit !== inLong[i]).length
  let prefix = 0
  while (prefix < short.length && a[prefix] === b[prefix]) prefix++
  const swaps = Math.trunc(moved / 2)
  const sum = f32(
    f32(f32(matches / a.length) + f32(matches / b.length)) + f32(f32(matches - swaps) / matches),
  )
  const jaro = f32(sum / 3)
  if (jaro < JARO_THRESHOLD) return jaro
  const scale = Math.min(f32(0.1), f32(1 / long.length))
  return f32(jaro + f32(f32(scale * prefix) * f32(1 - jaro)))
}

/** Pairs of units in common (Kondrak 2005). */
function ngram(source: string, target: string): number {
  const length = source.length
  if (length === 0 || target.length === 0) return length === target.length ? 1 : 0
  const longer = Math.max(length, target.length)
  if (length < 2 || target.length < 2) {
    let same = 0
    for (let i = 0; i < Math.min(length, target.length); i++) if (source[i] === target[i]) same++
    return f32(same / longer)
  }
  // A pair is a unit and the one before it; what stands before the first is no unit.
  const unit = (text: string, at: number): number => (at < 0 ? 0 : text.charCodeAt(at))
  let before = Float32Array.from({ length: length + 1 }, (_, i) => i)
  for (let j = 1; j <= target.length; j++) {
    const row = new Float32Array(length + 1)
    row[0] = j
    for (let i = 1; i <= length; i++) {
      let cost = 0
      let size = 2
      for (const back of [2, 1]) {
        const own = unit(source, i - back)
        if (own !== unit(target, j - back)) cost++
        else if (own === 0) size--
      }
      const change = f32(before[i - 1]! + f32(cost / size))
      row[i] = Math.min(row[i - 1]! + 1, before[i]! + 1, change)
    }
    before = row
  }
  return f32(1 - f32(before[length]! / longer))
}
