import { parseSuggest, type SuggestRequest } from '../../suggest/suggest-request.ts'
import type { SearchPart } from '../search-part.ts'

/** `suggest`: similar terms, corrected phrases and completed inputs. The query phase asks the shards. */
export const suggestPart: SearchPart<SuggestRequest | null> = {
  unasked: null,
  keys: { suggest: parseSuggest },
  check() {},
  print(_asked, { suggestions }, to) {
    if (suggestions !== null) to['suggest'] = suggestions
  },
}
