/** Articles that lean on the next word, as in l'avion. */
import { apostropheIn } from './term-rules.ts'
import type { WordSet } from './word-set.ts'

/** French articles, which `elision` takes off where no others are given; their case is ignored. */
export const FRENCH_ARTICLES: readonly string[] =
  'l m t qu n s j d c jusqu quoiqu lorsqu puisqu'.split(' ')

/** The term without an article and its apostrophe. */
export function withoutArticle(term: string, articles: WordSet): string {
  const at = apostropheIn(term)
  return at >= 0 && articles.has(term.slice(0, at)) ? term.slice(at + 1) : term
}
