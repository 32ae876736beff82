import { expect } from 'vitest'
import { Random } from '../../src/util/random.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, looked into by tests
type Json = any

/** Sends a request; null when no answer came, so that nobody knows whether it was done. */
export type Send = (
  method: string,
  path: string,
  body?: string,
) => Promise<{ readonly status: number; readonly json: Json } | null>

interface Known {
  readonly version: number
  readonly seqNo: number
  /** Null after a delete. */
  readonly source: string | null
}

/** One action of a bulk request, or a request of its own. */
interface Action {
  readonly kind: 'index' | 'create' | 'delete'
  readonly id: string
  readonly source: string | null
}

const INDEX = 'k'
const IDS = 120
/** Written by the model at most so many; a page of hits holds them all. */
const PAGE = 5000

/**
 * Writers that note what was acknowledged to them: each owns its ids, so that it knows what a read
 * must find. What was sent and not answered may be there or not; one look decides it for good.
 */
export class Writers {
  acknowledged = 0
  readonly #known = new Map<string, Known>()
  readonly #unsure = new Map<string, (string | null)[]>()
  /** Names of further indices: true and false are certain, null is not. */
  readonly #indices = new Map<string, boolean | null>()
  readonly #refusals: readonly number[]
  #made = 0

  /** @param refusals statuses with which a failing disk may answer; none ends a writer otherwise */
  constructor(refusals: readonly number[] = []) {
    this.#refusals = refusals
  }

  /** Creates the index that is written to. */
  async begin(send: Send): Promise<void> {
    const settings = { number_of_shards: 2, refresh_interval: '50ms' }
    const answer = await send('PUT', `/${INDEX}`, JSON.stringify({ settings }))
    expect(answer?.status).toBe(200)
  }

  /** Writes until the other side is gone. */
  async run(send: Send, seed: number, count: number): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, async (_, writer) => {
        const random = new Random(seed * 31 + writer)
        for (let step = 0; await this.#step(send, random, writer, step); step++);
      }),
    )
  }

  /** Holds everything that can be read against what was acknowledged. */
  async check(send: Send): Promise<void> {
    const refreshed = await send('POST', `/${INDEX}/_refresh`)
    expect(refreshed?.status, JSON.stringify(refreshed?.json)).toBe(200)
    const found = await send(
      'POST',
      `/${INDEX}/_search?version=true&seq_no_primary_term=true&track_total_hits=true`,
      JSON.stringify({ size: PAGE, query: { match_all: {} } }),
    )
    expect(found?.status, JSON.stringify(found?.json)).toBe(200)
    expect(found!.json._shards.failed, JSON.stringify(found!.json._shards)).toBe(0)
    const hits = new Map<string, Known>()
    for (const hit of found!.json.hits.hits) {
      expect(hits.has(hit._id), `[${hit._id}] twice`).toBe(false)
      const source = JSON.stringify(hit._source)
      hits.set(hit._id, { version: hit._version, seqNo: hit._seq_no, source })
    }
    expect(found!.json.hits.total).toEqual({ value: hits.size, relation: 'eq' })
    for (const id of new Set([...hits.keys(), ...this.#known.keys(), ...this.#unsure.keys()]))
      await this.#checkDocument(send, id, hits.get(id) ?? null)
    for (const [name, exists] of this.#indices) {
      const answer = await send('GET', `/${name}`)
      if (exists !== null) expect(answer?.status, name).toBe(exists ? 200 : 404)
      this.#indices.set(name, answer?.status === 200)
    }
  }

  async #checkDocument(send: Send, id: string, hit: Known | null): Promise<void> {
    const known = this.#known.get(id) ?? null
    const unsure = this.#unsure.get(id) ?? []
    const source = hit?.source ?? null
    if (source === (known?.source ?? null)) {
      if (unsure.length === 0 && hit !== null) expect(hit, id).toEqual(known)
    } else expect(unsure, `[${id}] is ${source}, not ${known?.source}`).toContain(source)
    this.#unsure.delete(id)
    if (hit === null) this.#known.delete(id)
    else this.#known.set(id, hit)
    // A read that goes another way must say the same, now and then.
    if (id.endsWith('7')) {
      const got = await send('GET', `/${INDEX}/_doc/${id}`)
      expect(got?.json.found ?? false, id).toBe(source !== null)
    }
  }

  async #step(send: Send, random: Random, writer: number, step: number): Promise<boolean> {
    const what = random.below(100)
    if (what < 45) return this.#bulk(send, random, writer, step)
    if (what < 85) return this.#single(send, this.#action(random, writer, step))
    if (what < 89) return this.#plain(send, 'POST', `/${INDEX}/_flush`)
    if (what < 91) return this.#plain(send, 'POST', `/${INDEX}/_forcemerge?max_num_segments=1`)
    if (what < 96) return this.#plain(send, 'POST', `/${INDEX}/_refresh`)
    return writer === 0 ? this.#index(send, random) : true
  }

  #action(random: Random, writer: number, step: number): Action {
    const id = `w${writer}-${random.below(IDS)}`
    const kind = random.below(10)
    if (kind < 2) return { kind: 'delete', id, source: null }
    const text = `word${random.below(30)} word${random.below(9)}`
    // Now and then a field that the mapping does not have yet.
    const more = random.below(15) === 0 ? `,"f${random.below(40)}":"${text}"` : ''
    const source = `{"t":"${text}","n":${step}${more}}`
    return { kind: kind < 4 ? 'create' : 'index', id, source }
  }

  async #bulk(send: Send, random: Random, writer: number, step: number): Promise<boolean> {
    const actions = Array.from({ length: 5 + random.below(30) }, () =>
      this.#action(random, writer, step),
    )
    const lines = actions.map(({ kind, id, source }) => {
      const line = JSON.stringify({ [kind]: { _id: id } })
      return source === null ? line : `${line}\n${source}`
    })
    const answer = await send('POST', `/${INDEX}/_bulk`, `${lines.join('\n')}\n`)
    if (answer === null || answer.status !== 200) {
      for (const action of actions) this.#doubt(action)
      return this.#isGone(answer)
    }
    let goesOn = true
    actions.forEach((action, i) => {
      const item = answer.json.items[i][action.kind]
      goesOn = this.#note(action, item.status, item) && goesOn
    })
    return goesOn
  }

  async #single(send: Send, action: Action): Promise<boolean> {
    const { kind, id, source } = action
    const path = `/${INDEX}/${kind === 'create' ? '_create' : '_doc'}/${id}`
    const answer = source === null ? await send('DELETE', path) : await send('PUT', path, source)
    if (answer === null) {
      this.#doubt(action)
      return false
    }
    return this.#note(action, answer.status, answer.json)
  }

  async #plain(send: Send, method: string, path: string): Promise<boolean> {
    const answer = await send(method, path)
    return answer?.status === 200 || this.#isGone(answer)
  }

  async #index(send: Send, random: Random): Promise<boolean> {
    const existing = [...this.#indices]
      .filter(([, exists]) => exists === true)
      .map(([name]) => name)
    const isDelete = existing.length > 3 || (existing.length > 0 && random.below(2) === 0)
    const name = isDelete ? existing[random.below(existing.length)]! : `i${this.#made++}`
    const before = this.#indices.get(name) ?? null
    this.#indices.set(name, null)
    const answer = await send(isDelete ? 'DELETE' : 'PUT', `/${name}`)
    if (answer?.status !== 200) return this.#isGone(answer)
    expect(before).toBe(isDelete ? true : null)
    this.#indices.set(name, !isDelete)
    this.acknowledged++
    return true
  }

  /** Notes an answer; false when it says that the other side is failing. */
  #note(action: Action, status: number, body: Json): boolean {
    const { kind, id, source } = action
    const known = this.#known.get(id)
    const exists = known !== undefined && known.source !== null
    const isCertain = !this.#unsure.has(id)
    if (status === 409 && kind === 'create') {
      if (isCertain) expect(exists, `[${id}] exists`).toBe(true)
      return true
    }
    if (status !== 200 && status !== 201 && !(status === 404 && body.result === 'not_found')) {
      this.#doubt(action)
      return this.#isGone({ status, json: body })
    }
    if (isCertain) {
      const results = kind === 'delete' ? ['deleted', 'not_found'] : ['updated', 'created']
      expect(body.result, id).toBe(results[exists ? 0 : 1])
      if (exists) expect(body._version, id).toBe(known.version + 1)
    }
    this.#known.set(id, { version: body._version, seqNo: body._seq_no, source })
    this.#unsure.delete(id)
    this.acknowledged++
    return true
  }

  #doubt({ id, source }: Action): void {
    this.#unsure.set(id, [...(this.#unsure.get(id) ?? []), source])
  }

  /** No answer, or that of a shard that gave up: the writer stops. Anything else is wrong. */
  #isGone(answer: { readonly status: number; readonly json: Json } | null): false {
    if (answer !== null)
      expect(this.#refusals, JSON.stringify(answer.json)).toContain(answer.status)
    return false
  }
}
