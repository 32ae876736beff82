/** Answers trees of aggregations by walking over documents. */

import { type Agg, type Aggs, namedBuckets, type PlainParent, type Printed } from './kind.ts'
import { KINDS, PIPELINES } from './kinds.ts'
import { bucketNumber } from './pipeline/parents.ts'
import { countOf, type Row } from './row.ts'

/** An answer, and which of the aggregations had something to tell. */
export interface PlainAnswer {
  readonly printed: Printed
  readonly told: ReadonlySet<Agg>
}

/**
 * The answer to a request.
 * @param rows the documents that its query matches
 * @param all the documents of the index
 */
export function plainAnswer(aggs: Aggs, rows: readonly Row[], all: readonly Row[]): PlainAnswer {
  const walk = new Walk(all)
  return { printed: walk.level(aggs, rows, shardsOf(all)), told: walk.told }
}

class Walk {
  readonly told = new Set<Agg>()
  readonly #all: readonly Row[]
  /** What each aggregation says of no documents. */
  readonly #empty = new Map<Agg, string>()
  /** Names of buckets that pipelines have made anew: their indexes are no longer what they were. */
  readonly #names = new WeakMap<Printed, string>()

  constructor(all: readonly Row[]) {
    this.#all = all
  }

  /** Siblings, the pipelines behind the others. */
  level(aggs: Aggs, rows: readonly Row[], shards: readonly number[]): Printed {
    const results: Record<string, Printed> = {}
    for (const [name, agg] of Object.entries(aggs))
      if (agg.kind in KINDS) results[name] = this.#documents(agg, rows, shards)
    for (const [name, agg] of Object.entries(aggs)) {
      const pipeline = PIPELINES[agg.kind]
      if (pipeline?.stands !== 'beside') continue
      const { buckets_path: path, gap_policy: policy } = agg.body as PathBody
      const [sibling, ...rest] = path.split('>')
      const named = this.#named(aggs[sibling!]!, results[sibling!]!)
      const valued = named
        .map(bucket => ({ ...bucket, value: bucketNumber(bucket.printed, rest.join('>'), policy) }))
        .filter(({ value }) => !Number.isNaN(value))
      if (valued.length > 0) this.told.add(agg)
      const answer = pipeline.answer(
        agg.body,
        valued.map(({ value }) => value),
        valued.map(bucket => bucket.name),
      )
      results[name] = withMeta(agg, answer)
    }
    return results
  }

  #documents(agg: Agg, rows: readonly Row[], shards: readonly number[]): Printed {
    const kind = KINDS[agg.kind]!
    const answer = kind.answer(agg.body, rows, {
      all: this.#all,
      shards,
      bucket: own => ({
        doc_count: countOf(own),
        ...this.level(agg.children, own, kind.isByValue === true ? shardsOf(own) : shards),
      }),
    })
    this.#note(agg, rows, answer)
    return withMeta(agg, this.#withParents(agg, answer))
  }

  #note(agg: Agg, rows: readonly Row[], answer: Printed): void {
    if (this.told.has(agg) || (rows.length === 0 && agg.kind !== 'global')) return
    const known = this.#empty.get(agg)
    const empty = known ?? this.#answerOfNone(agg)
    if (JSON.stringify(answer) !== empty) this.told.add(agg)
  }

  #answerOfNone(agg: Agg): string {
    const none = new Walk([])
    const bucket = (): Printed => ({ doc_count: 0, ...none.level(agg.children, [], []) })
    const empty = JSON.stringify(
      KINDS[agg.kind]!.answer(agg.body, [], { all: [], shards: [], bucket }),
    )
    this.#empty.set(agg, empty)
    return empty
  }

  /** An answer with what the pipelines in it make of its buckets. */
  #withParents(agg: Agg, answer: Printed): Printed {
    let printed = answer
    for (const [name, child] of Object.entries(agg.children)) {
      const pipeline = PIPELINES[child.kind]
      if (pipeline?.stands === 'within') printed = this.#withParent(agg, printed, name, child)
    }
    return printed
  }

  #withParent(agg: Agg, answer: Printed, name: string, child: Agg): Printed {
    const pipeline = PIPELINES[child.kind] as PlainParent
    const before = this.#named(agg, answer)
    const after = pipeline.apply(child.body, name, before)
    if (after.some(({ printed }) => !(name in printed) || hasValue(printed[name])))
      this.told.add(child)
    const noted = after.map(bucket => {
      const result = bucket.printed[name]
      const printed =
        result === undefined
          ? bucket.printed
          : { ...bucket.printed, [name]: withMeta(child, result as Printed) }
      this.#names.set(printed, bucket.name)
      return { ...bucket, printed }
    })
    const buckets = Array.isArray(answer['buckets'])
      ? noted.map(({ printed }) => printed)
      : Object.fromEntries(noted.map(bucket => [bucket.name, bucket.printed]))
    return Object.fromEntries(
      Object.entries(answer).map(([key, value]) => [key, key === 'buckets' ? buckets : value]),
    )
  }

  #named(agg: Agg, answer: Printed): ReturnType<typeof namedBuckets> {
    const kind = KINDS[agg.kind]!
    return namedBuckets(
      answer,
      (bucket, i) =>
        this.#names.get(bucket) ??
        kind.nameOf?.(bucket, agg.body, i) ??
        String(bucket['key_as_string'] ?? bucket['key']),
    )
  }
}

function shardsOf(rows: readonly Row[]): readonly number[] {
  return [...new Set(rows.map(({ document }) => document.shard))]
}

interface PathBody {
  readonly buckets_path: string
  readonly gap_policy?: 'skip' | 'insert_zeros'
}

function withMeta({ meta }: Agg, answer: Printed): Printed {
  return meta === undefined ? answer : { meta, ...answer }
}

function hasValue(result: unknown): boolean {
  return typeof (result as { readonly value?: unknown } | undefined)?.value === 'number'
}
