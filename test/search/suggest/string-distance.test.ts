import { expect, it } from 'vitest'
import { STRING_DISTANCES } from '../../../src/search/suggest/string-distance.ts'

/** Values of Lucene 8.7's `LuceneLevenshteinDistance`, `LevenshteinDistance`, `JaroWinklerDistance` and `NGramDistance`. */
it.each<[string, string, number, number, number, number]>([
  ['kitten', 'sitting', 0.5, 0.57142854, 0.74603176, 0.5],
  ['martha', 'marhta', 0.8333333, 0.6666666, 0.96111107, 0.6666666],
  ['dixon', 'dicksonx', 0.19999999, 0.5, 0.81333333, 0.5],
  ['jellyfish', 'smellyfish', 0.7777778, 0.8, 0.8962963, 0.75],
  ['abcd', 'acbd', 0.75, 0.5, 0.925, 0.5],
  ['a', 'ab', 0.0, 0.5, 0.84999996, 0.5],
  ['a', 'b', 0.0, 0.0, 0.0, 0.0],
  ['same', 'same', 1.0, 1.0, 1.0, 1.0],
  ['prefix', 'prefixes', 0.6666666, 0.75, 0.9666667, 0.75],
  ['natural', 'contrary', 0.14285713, 0.25, 0.6904762, 0.25],
  ['été', 'ete', 0.3333333, 0.3333333, 0.5555556, 0.3333333],
  ['ab', 'ba', 0.5, 0.0, 0.0, 0.0],
  ['university', 'univeristy', 0.9, 0.8, 0.9866667, 0.8],
  ['😀x', 'x😀', 0.5, 0.3333333, 0.0, 0.16666669],
])('of %s and %s is what Lucene says', (a, b, ...values) => {
  const names = ['damerau_levenshtein', 'levenshtein', 'jaro_winkler', 'ngram'] as const
  for (const [i, name] of names.entries())
    expect(STRING_DISTANCES[name]!(a, b), name).toBe(Math.fround(values[i]!))
})

it('of no text is that of nothing in common', () => {
  expect(STRING_DISTANCES.levenshtein!('', 'a')).toBe(0)
  expect(STRING_DISTANCES.levenshtein!('', '')).toBe(1)
  expect(STRING_DISTANCES.ngram!('', '')).toBe(1)
  expect(STRING_DISTANCES.jaro_winkler!('', 'a')).toBe(0)
  expect(STRING_DISTANCES.damerau_levenshtein!('', '')).toBe(0)
})
