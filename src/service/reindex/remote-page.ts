/** Reads the pages that another server answers with, of which nothing is believed. */
import { EngineError } from '../../util/errors.ts'
import { JSON_TOKENS, JsonReader, type JsonToken } from '../../util/json/json-reader.ts'
import { type JsonNode, parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { jsonValueOf } from '../../util/json/json-writer.ts'
import { type Long, parseLong } from '../../util/long.ts'
import type { FoundHit, HitPage, SearchFailure } from './hit-source.ts'

/** A page, with the scroll that the next one is asked of. */
export interface RemotePage extends HitPage {
  readonly scrollId: string | null
}

const { objectStart, objectEnd, arrayStart, arrayEnd, string, number } = JSON_TOKENS

/**
 * Reads an answer to a search or a scroll.
 * @throws {EngineError} `exception`: it is none
 */
export function readRemotePage(bytes: Uint8Array): RemotePage {
  try {
    return new PageReader(bytes).page()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new EngineError({
      type: 'exception',
      reason: 'Error parsing the response, remote is likely not an OpenSearch instance',
      causedBy: error.record,
    })
  }
}

class PageReader {
  readonly #reader = new JsonReader()
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#reader.reset(bytes)
  }

  page(): RemotePage {
    let scrollId: string | null = null
    let isTimedOut = false
    let failures: readonly SearchFailure[] = []
    let found: Pick<RemotePage, 'total' | 'hits'> | null = null
    this.#object(this.#reader.next(), (name, token) => {
      if (name === '_scroll_id') scrollId = this.#text(token)
      else if (name === 'timed_out') isTimedOut = token === JSON_TOKENS.true
      else if (name === '_shards') failures = this.#shardFailures(token)
      else if (name === 'hits') found = this.#hits(token)
      else this.#skip(token)
    })
    this.#reader.next()
    if (found === null) throw this.#reader.error('[hits] is missing')
    return { scrollId, isTimedOut, failures, ...(found as Pick<RemotePage, 'total' | 'hits'>) }
  }

  #hits(token: JsonToken): Pick<RemotePage, 'total' | 'hits'> {
    let total: number | null = null
    const hits: FoundHit[] = []
    this.#object(token, (name, value) => {
      if (name === 'total') total = this.#total(value)
      else if (name === 'hits') this.#array(value, item => hits.push(this.#hit(item)))
      else this.#skip(value)
    })
    if (total === null) throw this.#reader.error('[total] is missing')
    return { total, hits }
  }

  /** A number, or an object with one: servers up to version 6 have the former. */
  #total(token: JsonToken): number {
    if (token === number) return Number(this.#long())
    let total: number | null = null
    this.#object(token, (name, value) => {
      if (name !== 'value') return this.#skip(value)
      if (value !== number) throw this.#reader.error('[value] must be a number')
      total = Number(this.#long())
    })
    if (total === null) throw this.#reader.error('[value] is missing')
    return total
  }

  #hit(token: JsonToken): FoundHit {
    let index: string | null = null
    let id: string | null = null
    let routing: string | null = null
    let version: Long | null = null
    let source: Uint8Array | null = null
    this.#object(token, (name, value) => {
      if (name === '_index') index = this.#text(value)
      else if (name === '_id') id = this.#text(value)
      else if (name === '_routing') routing = this.#text(value)
      else if (name === '_version' && value === number) version = this.#long()
      else if (name === '_source') source = this.#source(value)
      else this.#skip(value)
    })
    if (index === null || id === null) throw this.#reader.error('[_index] and [_id] are missing')
    return { index, id, routing, version: version ?? 1, seqNo: null, primaryTerm: null, source }
  }

  /** The bytes of an object, just as they came. */
  #source(token: JsonToken): Uint8Array {
    if (token !== objectStart) throw this.#reader.error('[_source] must be an object')
    const { start } = this.#reader
    this.#reader.skipChildren()
    return this.#bytes.slice(start, this.#reader.end)
  }

  #shardFailures(token: JsonToken): readonly SearchFailure[] {
    const failures: SearchFailure[] = []
    this.#object(token, (name, value) => {
      if (name === 'failures') this.#array(value, item => failures.push(this.#failure(item)))
      else this.#skip(value)
    })
    return failures
  }

  #failure(token: JsonToken): SearchFailure {
    if (token !== objectStart) throw this.#reader.error('a failure must be an object')
    const { start } = this.#reader
    this.#reader.skipChildren()
    const tree = parseJsonTree(this.#bytes.subarray(start, this.#reader.end))
    const of = (key: string): JsonNode | undefined =>
      tree.kind === 'object' ? tree.entries.find(entry => entry.key === key)?.value : undefined
    const text = (key: string): string | null => {
      const node = of(key)
      return node?.kind === 'string' ? node.value : null
    }
    const shard = of('shard')
    const reason = of('reason')
    const shown =
      reason === undefined
        ? {}
        : reason.kind === 'object'
          ? jsonValueOf(reason)
          : { reason: jsonValueOf(reason) }
    return {
      shard: shard?.kind === 'number' ? shard.value : null,
      index: text('index'),
      node: text('node'),
      reason: shown as JsonRecord,
      status: 500,
    }
  }

  #text(token: JsonToken): string {
    if (token !== string) throw this.#reader.error('a text was expected')
    return this.#reader.text()
  }

  #long(): Long {
    const value = parseLong(this.#reader.text())
    if (value === null) throw this.#reader.error('a whole number was expected')
    return value
  }

  #skip(token: JsonToken): void {
    if (token === objectStart || token === arrayStart) this.#reader.skipChildren()
  }

  #object(token: JsonToken, entry: (name: string, token: JsonToken) => void): void {
    if (token !== objectStart) throw this.#reader.error('an object was expected')
    while (this.#reader.next() !== objectEnd) {
      const name = this.#reader.text()
      entry(name, this.#reader.next())
    }
  }

  #array(token: JsonToken, item: (token: JsonToken) => void): void {
    if (token !== arrayStart) throw this.#reader.error('an array was expected')
    for (let next = this.#reader.next(); next !== arrayEnd; next = this.#reader.next()) item(next)
  }
}
