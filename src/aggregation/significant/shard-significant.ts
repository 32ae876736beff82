import { Float64 } from '../../util/json/json-value.ts'
import type { ReducedChildren, ReducedShards, ShardReducer } from '../aggregation-type.ts'
import { firstBuckets } from '../bucket-order.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import type { MultiBucketResult } from '../result.ts'
import { termsKeyForm } from '../terms/key-form.ts'
import type { KeyForm } from '../terms/shard-buckets.ts'
import type { TermKey } from '../terms/term-keys.ts'
import type { ValueSource } from '../value-source.ts'
import { type Heuristic, scoreOf } from './heuristic.ts'
import {
  type ClosedSignificant,
  type CutBySignificance,
  comparable,
  compareScores,
} from './slice-significant.ts'

/** A plan whose keys are values. */
type SignificantPlan = CutBySignificance & { readonly values: ValueSource }

/** Merges the buckets of shards, scores them anew by the sums, and cuts them to the request's size. */
export class ShardSignificant implements ShardReducer {
  readonly #plan: SignificantPlan
  readonly #form: KeyForm<TermKey>
  readonly #children: ReducedChildren
  readonly #shards: ReducedShards
  readonly #byOwner: (Map<string | number | bigint, number> | undefined)[] = []
  readonly #keys: TermKey[] = []
  readonly #counts = new Doubles()
  readonly #backgrounds = new Doubles()
  /** By owning bucket: its documents, and those of the backgrounds that they were compared with. */
  readonly #sizes = new Doubles()
  readonly #backgroundSizes = new Doubles()

  /** @throws {EngineError} indices keep the field as types that have no order in common */
  constructor(plans: readonly SignificantPlan[], children: ReducedChildren, shards: ReducedShards) {
    this.#plan = plans[0]!
    this.#form = termsKeyForm(plans, shards)
    this.#children = children
    this.#shards = shards
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const closed = own as ClosedSignificant
    const limit = ownerLimit(owners, owners.length)
    const sizes = this.#sizes.ensure(limit)
    const backgroundSizes = this.#backgroundSizes.ensure(limit)
    owners.forEach((owner, i) => {
      sizes[owner] = sizes[owner]! + closed.sizes[i]!
      backgroundSizes[owner] = backgroundSizes[owner]! + closed.backgroundSize
    })
    return Int32Array.from(closed.owners, (from, i) => {
      const bucket = this.#bucketOf(owners[from]!, this.#form.normal(closed.keys[i]!))
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + closed.counts[i]!
      const backgrounds = this.#backgrounds.ensure(bucket + 1)
      backgrounds[bucket] = backgrounds[bucket]! + closed.backgrounds[i]!
      return bucket
    })
  }

  /** @throws {IllegalArgumentError} a background that ought to contain the foreground does not */
  result(owner: number): MultiBucketResult {
    const { heuristic, size, minDocCount } = this.#plan
    const scores = new Map<number, number>()
    for (const bucket of this.#byOwner[owner]?.values() ?? [])
      scores.set(bucket, this.#score(heuristic, owner, bucket))
    const found = Int32Array.from(scores.keys()).filter(
      bucket => scores.get(bucket)! > 0 && this.#counts.at(bucket) >= minDocCount,
    )
    const best = firstBuckets(
      found,
      size,
      (a, b) =>
        compareScores(scores.get(a)!, scores.get(b)!) ||
        this.#form.compare(this.#keys[a]!, this.#keys[b]!),
    )
    this.#shards.budget.take(best.length)
    return {
      kind: 'multi',
      typedName: typedNameOf(this.#form.typedName),
      className: `Significant${this.#form.className}`,
      keyed: false,
      head: this.#shards.isMapped
        ? { doc_count: this.#sizes.at(owner), bg_count: this.#backgroundSizes.at(owner) }
        : {},
      tail: {},
      buckets: Array.from(best, bucket => {
        const docCount = this.#counts.at(bucket)
        const { key, text, name, number } = this.#form.print(this.#keys[bucket]!)
        return {
          name,
          key: number,
          docCount,
          head: {
            key,
            key_as_string: text,
            doc_count: docCount,
            score: new Float64(scores.get(bucket)!),
            bg_count: this.#backgrounds.at(bucket),
          },
          children: this.#children.results(bucket),
        }
      }),
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  #score(heuristic: Heuristic, owner: number, bucket: number): number {
    return comparable(
      scoreOf(heuristic, {
        found: this.#counts.at(bucket),
        foundOf: this.#sizes.at(owner),
        background: this.#backgrounds.at(bucket),
        backgroundOf: this.#backgroundSizes.at(owner),
      }),
    )
  }

  #bucketOf(owner: number, key: TermKey): number {
    const byKey = (this.#byOwner[owner] ??= new Map())
    const id = this.#form.id(key)
    const known = byKey.get(id)
    if (known !== undefined) return known
    const bucket = this.#keys.push(key) - 1
    byKey.set(id, bucket)
    return bucket
  }
}

/** @param plain of terms with such keys */
function typedNameOf(plain: string): string {
  if (plain === 'umterms') return 'umsigterms'
  return plain === 'sterms' ? 'sigsterms' : 'siglterms'
}
