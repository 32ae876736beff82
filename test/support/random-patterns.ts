/** Random patterns and texts, for comparisons of matchers. */
import type { Random } from '../../src/util/random.ts'

const SETS = ['a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '\\d', '[a-c&&[^b]]', '😀']
const EDGES = ['\\b', '^', '$', '\\B', '\\A', '\\z', '\\Z']
const QUANTIFIERS = ['*', '+', '?', '{2}', '{1,2}', '{0,2}', '{2,}']
const TEXT = ['a', 'b', 'c', 'A', '1', ' ', '\n', 'ab', 'aa']

/** How patterns are made. */
interface PatternChoice {
  /** Look-around, back-references, atomic groups and possessive quantifiers too. */
  readonly backtracks: boolean
  /** Flags within patterns too. */
  readonly flags: boolean
}

/** A pattern of a few nodes, valid in Java; a look behind in it may be too long, which Java refuses. */
export function randomPattern(random: Random, choice: PatternChoice): string {
  let groups = 0
  const set = (): string => SETS[random.below(SETS.length)]!
  const node = (depth: number): string => {
    const pick = random.below(depth <= 0 ? 4 : choice.backtracks ? 15 : 10)
    if (pick < 3) return set()
    if (pick === 3) return EDGES[random.below(EDGES.length)]!
    if (pick < 6) return node(depth - 1) + node(depth - 1)
    if (pick === 6) return `(?:${node(depth - 1)}|${node(depth - 1)})`
    if (pick === 7) {
      groups++
      return `(${node(depth - 1)})`
    }
    if (pick < 10) {
      const suffix = ['', '', '?', choice.backtracks ? '+' : '?'][random.below(4)]!
      const flag = choice.flags && random.below(4) === 0 ? '?i:' : '?:'
      const open = random.below(3) === 0 ? '(' : `(${flag}`
      if (open === '(') groups++
      // A pass that takes nothing may leave groups otherwise than Java's does.
      const body = node(depth - 1) + set()
      return `${open}${body})${QUANTIFIERS[random.below(QUANTIFIERS.length)]!}${suffix}`
    }
    if (pick === 10) return `(?=${node(depth - 1)})`
    if (pick === 11) return `(?!${node(depth - 1)})`
    if (pick === 12) return `(?<${random.below(2) === 0 ? '=' : '!'}${node(depth - 1)})`
    if (pick === 13) return `(?>${node(depth - 1)})`
    return groups === 0 ? node(depth - 1) : `(?:\\${1 + random.below(Math.min(groups, 9))})`
  }
  return node(4)
}

/** A short text of the characters that the patterns name. */
export function randomText(random: Random): string {
  return Array.from({ length: random.below(9) }, () => TEXT[random.below(TEXT.length)]!).join('')
}
