import { IllegalArgumentError } from '../../util/errors.ts'
import type { IndexView } from '../metadata/index-view.ts'
import type { Suggestion, SuggestRequest } from './suggest-request.ts'
import type { MadeSuggestion, SuggestTexts } from './suggester.ts'

/**
 * Makes the suggestions of a request for one index, in its order.
 * @throws {EngineError} one does not fit the index, whose shards all fail then
 */
export function indexSuggest(request: SuggestRequest, view: IndexView): readonly MadeSuggestion[] {
  return request.suggestions.map(suggestion =>
    suggestion.plan.make(textsOf(suggestion, request.text), view),
  )
}

function textsOf(own: Suggestion, common: string | null): SuggestTexts {
  const { regex } = own
  const prefix = own.prefix ?? own.text
  const text = own.text ?? prefix ?? regex ?? common
  if (text === null) throw new IllegalArgumentError('The required text option is missing')
  return { text, prefix, regex }
}
