import { Float32, type JsonRecord, type JsonValue } from '../../util/json/json-value.ts'

/** A key of a hit, by its documented name. */
type HitKey =
  | '_shard'
  | '_node'
  | '_index'
  | '_id'
  | '_nested'
  | '_version'
  | '_seq_no'
  | '_primary_term'
  | '_score'
  | '_routing'
  | '_ignored'
  | '_source'
  | 'fields'
  | 'highlight'
  | 'sort'
  | 'matched_queries'
  | '_explanation'
  | 'inner_hits'

/** A hit in wire form; a key that is undefined is left out. */
export type PrintedHit = Record<HitKey, JsonValue | undefined> & JsonRecord

/**
 * A hit with its index, id, score and routing, to which the parts of the fetch add. The order of the keys
 * is the documented one, whatever is set when.
 * @param id    null prints none
 * @param score NaN prints null
 */
export function newHit(
  index: string,
  id: string | null,
  score: number,
  routing: string | null,
): PrintedHit {
  return {
    _shard: undefined,
    _node: undefined,
    _index: index,
    _id: id ?? undefined,
    _nested: undefined,
    _version: undefined,
    _seq_no: undefined,
    _primary_term: undefined,
    _score: Number.isNaN(score) ? null : new Float32(score),
    _routing: routing ?? undefined,
    _ignored: undefined,
    _source: undefined,
    fields: undefined,
    highlight: undefined,
    sort: undefined,
    matched_queries: undefined,
    _explanation: undefined,
    inner_hits: undefined,
  }
}
