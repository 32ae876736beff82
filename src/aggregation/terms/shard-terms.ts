import { compareBytes } from '../../util/bytes.ts'
import { EngineError } from '../../util/errors.ts'
import { Float64, type JsonRecord, type JsonValue } from '../../util/json/json-value.ts'
import type { ReducedChildren, ReducedShards, ShardReducer } from '../aggregation-type.ts'
import { compareBuckets, firstBuckets } from '../bucket-order.ts'
import { Doubles } from '../columns.ts'
import type { BucketResult, MultiBucketResult } from '../result.ts'
import type { ValueSource } from '../value-source.ts'
import { numberText, termText } from '../value-text.ts'
import type { ClosedTerms } from './slice-terms.ts'
import type { TermKey } from './term-keys.ts'
import type { Terms } from './terms-plan.ts'

/** What the keys of an answer are. */
type KeyFamily = 'string' | 'long' | 'unsignedLong' | 'double'

const FAMILIES: {
  readonly [F in KeyFamily]: { readonly typedName: string; readonly className: string }
} = {
  string: { typedName: 'sterms', className: 'StringTerms' },
  long: { typedName: 'lterms', className: 'LongTerms' },
  unsignedLong: { typedName: 'ulterms', className: 'UnsignedLongTerms' },
  double: { typedName: 'dterms', className: 'DoubleTerms' },
}

/** Buckets of one owning bucket. */
interface OwnedTerms {
  /** Buckets by key; terms as text of one character a byte. */
  readonly byKey: Map<string | bigint | number, number>
  others: number
  /** Sum of the shards' errors; −1: unknown. */
  error: number
  shards: number
}

/** Merges the buckets of shards, and cuts them to the request's size. */
export class ShardTerms implements ShardReducer {
  readonly #plan: Terms
  readonly #children: ReducedChildren
  readonly #shards: ReducedShards
  readonly #family: KeyFamily
  readonly #byOwner: (OwnedTerms | undefined)[] = []
  readonly #keys: TermKey[] = []
  readonly #counts = new Doubles()
  /** Sums of the errors of the shards that gave the bucket. */
  readonly #errors = new Doubles()

  /** @throws {EngineError} indices keep the field as types that have no order in common */
  constructor(plans: readonly Terms[], children: ReducedChildren, shards: ReducedShards) {
    this.#plan = plans[0]!
    this.#children = children
    this.#shards = shards
    this.#family = familyOf(plans)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const closed = own as ClosedTerms
    owners.forEach((owner, i) => {
      const owned = this.#owned(owner)
      owned.others += closed.others[i]!
      owned.shards++
      owned.error = sumOrUnknown(owned.error, closed.errors[i]!)
    })
    return Int32Array.from(closed.owners, (from, i) => {
      const owned = this.#owned(owners[from]!)
      const key = this.#family === 'double' ? Number(closed.keys[i]!) : closed.keys[i]!
      const bucket = this.#bucketOf(owned, key)
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + closed.counts[i]!
      const errors = this.#errors.ensure(bucket + 1)
      errors[bucket] = sumOrUnknown(errors[bucket]!, closed.errors[from]!)
      return bucket
    })
  }

  result(owner: number): MultiBucketResult {
    const owned = this.#byOwner[owner]
    const { order, size, minDocCount } = this.#plan
    const found = Int32Array.from(owned?.byKey.values() ?? []).filter(
      bucket => this.#counts.at(bucket) >= minDocCount,
    )
    const compare = compareBuckets(
      order,
      {
        count: bucket => this.#counts.at(bucket),
        compareKeys: (a, b) => compareKeys(this.#keys[a]!, this.#keys[b]!),
      },
      this.#children.nodes,
    )
    const best = firstBuckets(found, size, compare)
    this.#shards.budget.take(best.length)
    let others = owned?.others ?? 0
    for (const bucket of found) others += this.#counts.at(bucket)
    for (const bucket of best) others -= this.#counts.at(bucket)
    const error = owned === undefined || owned.shards < 2 ? 0 : owned.error
    const { typedName, className } = FAMILIES[this.#family]
    return {
      kind: 'multi',
      typedName: this.#shards.isMapped ? typedName : 'umterms',
      className: this.#shards.isMapped ? className : 'UnmappedTerms',
      buckets: Array.from(best, bucket => this.#print(bucket, owned!)),
      keyed: false,
      head: { doc_count_error_upper_bound: error, sum_other_doc_count: others },
      tail: {},
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  #owned(owner: number): OwnedTerms {
    const known = this.#byOwner[owner]
    if (known !== undefined) return known
    const made: OwnedTerms = { byKey: new Map(), others: 0, error: 0, shards: 0 }
    this.#byOwner[owner] = made
    return made
  }

  #bucketOf({ byKey }: OwnedTerms, key: TermKey): number {
    const id = key instanceof Uint8Array ? Buffer.from(key).toString('latin1') : key
    const known = byKey.get(id)
    if (known !== undefined) return known
    const bucket = this.#keys.push(key) - 1
    byKey.set(id, bucket)
    return bucket
  }

  #print(bucket: number, owned: OwnedTerms): BucketResult {
    const key = this.#keys[bucket]!
    const docCount = this.#counts.at(bucket)
    const { printed, text } = printKey(key, this.#plan.values)
    const head: JsonRecord = {
      key: printed,
      key_as_string: text ?? undefined,
      doc_count: docCount,
      doc_count_error_upper_bound: this.#plan.showsErrors
        ? this.#errorOf(bucket, owned)
        : undefined,
    }
    return {
      name:
        text ??
        (printed instanceof Float64
          ? numberText({ kind: 'raw' }).of(printed.value)
          : String(printed)),
      key: key instanceof Uint8Array ? Number.NaN : Number(key),
      docCount,
      head,
      children: this.#children.results(bucket),
    }
  }

  /** Max count that shards which did not give the bucket may have of it. */
  #errorOf(bucket: number, { error, shards }: OwnedTerms): number {
    if (shards < 2) return 0
    return error < 0 ? -1 : error - this.#errors.at(bucket)
  }
}

function sumOrUnknown(a: number, b: number): number {
  return a < 0 || b < 0 ? -1 : a + b
}

function printKey(
  key: TermKey,
  { format }: ValueSource,
): { printed: JsonValue; text: string | null } {
  if (key instanceof Uint8Array) return { printed: termText(format, key), text: null }
  const text = numberText(format)
  const shown = text.isShown ? text.of(Number(key)) : null
  return { printed: typeof key === 'bigint' ? key : new Float64(key), text: shown }
}

function compareKeys(a: TermKey, b: TermKey): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b)
  if (Object.is(a, b)) return 0
  return a < b ? -1 : a > b ? 1 : Object.is(a, -0) ? -1 : 1
}

function familyOf(plans: readonly Terms[]): KeyFamily {
  const families = new Set(plans.map(({ values }) => typeOfKeys(values)))
  if (families.size === 1) return [...families][0]!
  if (families.has('string'))
    throw new EngineError({
      type: 'aggregation_execution_exception',
      reason:
        `Merging/Reducing the aggregations failed when computing the aggregation [${plans[0]!.name}] ` +
        'because the field you gave in the aggregation query existed as two different types in ' +
        'two different indices',
    })
  return 'double'
}

function typeOfKeys(values: ValueSource): KeyFamily {
  return values.kind === 'numbers' ? values.type : 'string'
}
