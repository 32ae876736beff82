/**
 * The forms of JSON that a value of each key of a search may have, as the real server's reader branches: it looks at the
 * form first and then for the key among those of that form, so a key with a value of another form is an unknown one.
 */
import { assert } from '../../../util/assert.ts'
import type { EngineError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { parsingError, tokenName } from '../parse-error.ts'

type Form = 'scalar' | 'object' | 'array'

/** A key that is not here takes any value, and says itself what is wrong with one. */
const FORMS: ReadonlyMap<string, ReadonlySet<Form>> = new Map(
  Object.entries({
    from: ['scalar'],
    size: ['scalar'],
    timeout: ['scalar'],
    terminate_after: ['scalar'],
    min_score: ['scalar'],
    version: ['scalar'],
    seq_no_primary_term: ['scalar'],
    explain: ['scalar'],
    profile: ['scalar'],
    profile_slices: ['scalar'],
    profile_kernels: ['scalar'],
    track_scores: ['scalar'],
    track_total_hits: ['scalar'],
    include_named_queries_score: ['scalar'],
    verbose_pipeline: ['scalar'],
    search_pipeline: ['scalar', 'object'],
    _source: ['scalar', 'object', 'array'],
    stored_fields: ['scalar', 'array'],
    sort: ['scalar', 'object', 'array'],
    query: ['object'],
    post_filter: ['object'],
    script_fields: ['object'],
    derived: ['object'],
    highlight: ['object'],
    suggest: ['object'],
    aggs: ['object'],
    aggregations: ['object'],
    ext: ['object'],
    slice: ['object'],
    collapse: ['object'],
    pit: ['object'],
    rescore: ['object', 'array'],
    indices_boost: ['object', 'array'],
    docvalue_fields: ['array'],
    fields: ['array'],
    stats: ['array'],
  } satisfies Record<string, readonly Form[]>).map(([key, forms]) => [key, new Set<Form>(forms)]),
)

/** The contract gives this key words of its own for a value that is no array. */
const OWN_WORDS = 'search_after'

/** Called once, with all keys that a search has. */
export function checkFormsOf(keys: Iterable<string>): void {
  for (const key of keys)
    assert(FORMS.has(key) || key === OWN_WORDS, `the key ${key} of a search has its forms`)
}

/**
 * Holds the value of a key against the forms that it may have.
 * @throws {EngineError} 400
 */
export function checkForm(entry: JsonEntry): void {
  const { key, value } = entry
  if (key === OWN_WORDS) return
  const form = formOf(value)
  if (form === null || FORMS.get(key)?.has(form) !== true) throw unknownKey(entry)
}

/** A key that a search does not have, or not with such a value, which is the place that the error names. */
export function unknownKey({ key, value }: JsonEntry): EngineError {
  return parsingError(value, `Unknown key for a ${tokenName(value.kind)} in [${key}].`)
}

/** Null has no form: no key takes it. */
function formOf({ kind }: JsonNode): Form | null {
  switch (kind) {
    case 'object':
    case 'array':
      return kind
    case 'null':
      return null
    case 'string':
    case 'number':
    case 'boolean':
      return 'scalar'
  }
}
