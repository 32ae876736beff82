import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHAR_FILTERS } from '../../src/analysis/char-filter/factories.ts'
import { TOKEN_FILTERS } from '../../src/analysis/token-filter/factories.ts'
import { LANGUAGE_TOKEN_FILTERS } from '../../src/analysis/token-filter/language-factories.ts'
import { TOKENIZERS } from '../../src/analysis/tokenizer/factories.ts'
import { openRest, type Rest } from '../support/rest-calls.ts'
import { variedLinks } from '../support/varied-links.ts'
import { variedMarkup } from '../support/varied-markup.ts'
import { Draw, variedStrings } from '../support/varied-strings.ts'

const KEYS = (
  'max_token_length min_gram max_gram token_chars custom_token_chars pattern flags group replacement ' +
  'tokenize_on_chars delimiter reverse skip buffer_size escaped_tags mappings stopwords ignore_case ' +
  'remove_trailing language synonyms synonyms_path expand lenient format filters preserve_original ' +
  'output_unigrams min_shingle_size max_shingle_size token_separator filler_token patterns all ' +
  'keywords keywords_pattern rules types mode length max_token_count consume_all_tokens encoding ' +
  'word_list articles articles_case ignored_scripts common_words query_mode catenate_all type_table ' +
  'split_on_case_change protected_words hash_count bucket_count separator max_output_size locale script'
).split(' ')
const VALUES: readonly unknown[] = [
  ...[0, 1, 2, 3, -1, 255, 1e9, 1e12, 0.5, true, false, '', 'x', 'a,b', 'the', '_english_'],
  ...['\\W+', '(a+)+b', '[', '.*', '$1', '|', 'a => b, c d', 'a b, c', 'solr', 'wordnet', 'greek'],
  ...[
    'English',
    'light_french',
    'CASE_INSENSITIVE',
    'letter',
    'custom',
    '../x',
    'float',
    'include',
  ],
  ...[['a', 'b'], [], ['a => b'], ['the', 'fox', 'x y'], ['% => DIGIT'], ['lowercase', 'stop']],
]

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /i', { settings: { 'index.max_ngram_diff': 5 } })
})
afterAll(() => rest.close())

describe('any chain of any options', () => {
  it('answers with tokens or with what is wrong with the request', async () => {
    const draw = new Draw(0xf422)
    const types = {
      tokenizer: [...TOKENIZERS.keys()],
      filter: [...TOKEN_FILTERS.keys(), ...LANGUAGE_TOKEN_FILTERS.keys()],
      char_filter: [...CHAR_FILTERS.keys()],
    }
    const texts = [variedStrings(), variedLinks(300), variedMarkup(300)]
    const component = (kind: keyof typeof types): unknown => {
      const type = draw.of(types[kind])
      if (draw.below(3) === 0) return type
      const options: Record<string, unknown> = { type }
      for (let i = draw.below(5); i > 0; i--) options[draw.of(KEYS)] = draw.of(VALUES)
      return options
    }
    const statuses = new Map<number, number>()
    for (let round = 0; round < 1500; round++) {
      const body = {
        ...(draw.below(2) === 0 && { char_filter: [component('char_filter')] }),
        tokenizer: component('tokenizer'),
        filter: Array.from({ length: draw.below(4) }, () => component('filter')),
        text: [draw.of(draw.of(texts)).slice(0, 2000), ''],
        explain: draw.below(3) === 0,
      }
      const { status, json } = await rest.call(`${draw.of(['GET', 'POST'])} /i/_analyze`, body)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const { type, reason } = json.error ?? { type: '', reason: '' }
      if (status === 500)
        // The one error of ours with that status.
        expect([type, JSON.stringify(body)]).toEqual([
          'illegal_state_exception',
          expect.any(String),
        ])
      else
        expect([status, reason, body]).toEqual([
          status === 200 ? 200 : 400,
          expect.any(String),
          body,
        ])
    }
    expect(statuses.get(200)).toBeGreaterThan(300)
    expect(statuses.get(400)).toBeGreaterThan(100)
  })
})
