import { describe, expect, it } from 'vitest'
import { snowballStemmer } from '../../src/analysis/token-filter/stemmer/stemmers.ts'
import { differingWords, VOCABULARIES } from '../support/snowball-data.ts'

// Wants Debian's snowball-data, which is downloaded where it is not installed.
describe.runIf(process.env['LAMELLA_ANALYSIS_ORACLE'] === '1')('the Snowball stemmers', () => {
  it.each(VOCABULARIES.map(each => [each.language, each] as const))(
    'agree with the vocabulary of %s where the algorithm is the same version',
    (language, vocabulary) => {
      const stem = snowballStemmer(language)!
      expect(differingWords(vocabulary, stem).length).toBe(vocabulary.differences)
    },
    120_000,
  )
})
