import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Database,
  type EmbedCall,
  type Embedding,
  type EmbedTexts,
  type Index,
  open,
  t,
} from '../../src/index.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'

const WORDS = ['whale', 'ship', 'storm']
const mapping = t.index({
  title: t.text().optional(),
  body: t.text().optional(),
  meaning: t.vector(3).optional(),
})
type Note = (typeof mapping)['document']

/** Counts of three words: a model whose vectors can be told by hand. */
const counted: EmbedTexts = texts =>
  texts.map(text => WORDS.map(word => text.split(word).length - 1))

let db: Database
let next = 0
beforeAll(async () => {
  db = await open()
})
afterAll(() => db.close())

/** A model that records its calls. */
function recorded(model: EmbedTexts = counted): {
  readonly calls: { texts: readonly string[]; call: EmbedCall }[]
  readonly embed: EmbedTexts
} {
  const calls: { texts: readonly string[]; call: EmbedCall }[] = []
  return {
    calls,
    embed(texts, call) {
      calls.push({ texts, call })
      return model(texts, call)
    },
  }
}

function notes(options: Partial<Embedding>): Promise<Index<Note>> {
  const meaning = { from: 'title', embed: counted, retryDelayInMillis: 0, ...options }
  return db.index(`notes-${next++}`, mapping, { embed: { meaning } })
}

describe('documents with a model', () => {
  it('get the vector of their text', async () => {
    const { calls, embed } = recorded()
    const index = await notes({ embed })
    await index.put('1', { title: 'a whale and a whale' })
    expect((await index.get('1'))!.source).toEqual({
      title: 'a whale and a whale',
      meaning: Float32Array.of(2, 0, 0),
    })
    expect(calls).toMatchObject([
      {
        texts: ['a whale and a whale'],
        call: { field: 'meaning', purpose: 'document', attempt: 1, signal: { aborted: false } },
      },
    ])
  })

  it('keep a vector that they have, null too, and get none of no text', async () => {
    const { calls, embed } = recorded()
    const index = await notes({ embed })
    const given = Float32Array.of(7, 8, 9)
    await index.put('1', { title: 'whale', meaning: given })
    await index.put('2', encodeUtf8('{"title":"whale","meaning":null}'))
    await index.put('3', { body: 'whale' })
    await index.put('4', { title: ' ' })
    expect((await index.get('1'))!.source.meaning).toEqual(given)
    expect((await index.get('2'))!.source.meaning).toBeNull()
    expect((await index.get('3'))!.source).toEqual({ body: 'whale' })
    expect((await index.get('4'))!.source).toEqual({ title: ' ' })
    expect(calls).toEqual([])
  })

  it('may have several fields of text, and be bytes', async () => {
    const index = await notes({ from: ['title', 'body'] })
    const bytes = encodeUtf8('{ "title": ["ship", "whale"],\n "body": "ship" } ')
    await index.put('1', bytes)
    expect((await index.get('1'))!.source.meaning).toEqual(Float32Array.of(1, 2, 0))
    await expect(index.put('2', encodeUtf8('{"title"'))).rejects.toMatchObject({ status: 400 })
  })

  it('stand as they were given: the program’s own objects are not changed', async () => {
    const embed = { 'inner.v': { from: 'inner.text', embed: counted } }
    const typed = t.index({ inner: t.object({ text: t.text(), v: t.vector(3).optional() }) })
    const index = await db.index('inner', typed, { embed })
    const given = { inner: { text: 'storm' } }
    await index.put('1', given)
    expect(given).toEqual({ inner: { text: 'storm' } })
    const source = { inner: { text: 'storm', v: Float32Array.of(0, 0, 1) } }
    expect((await index.get('1'))!.source).toEqual(source)
    const dotted = encodeUtf8('{"inner.text":"storm"}')
    await index.put('2', dotted)
    expect((await index.get('2'))!.source).toEqual({
      'inner.text': 'storm',
      'inner.v': Float32Array.of(0, 0, 1),
    })
  })

  it('are embedded together, so many at a time', async () => {
    const { calls, embed } = recorded()
    const index = await notes({ embed, batchSize: 4 })
    await Promise.all(Array.from({ length: 10 }, (_, i) => index.put(`${i}`, { title: 'whale' })))
    expect(calls.map(({ texts }) => texts.length)).toEqual([4, 4, 2])
  })

  it('are written in the order of their calls', async () => {
    const slow: EmbedTexts = async (texts, call) => {
      await sleep(20)
      return counted(texts, call)
    }
    const index = await notes({ embed: slow })
    const first = index.put('1', { title: 'whale' })
    const second = index.put('1', { body: 'the last' })
    const gone = index.put('2', { title: 'ship' })
    const removed = index.delete('2')
    const [one, two] = await Promise.all([first, second, gone])
    expect(two!.seqNo).toBeGreaterThan(one!.seqNo)
    expect((await removed).result).toBe('deleted')
    expect((await index.get('1'))!.source).toEqual({ body: 'the last' })
  })
})

describe('bulks with a model', () => {
  it('embed documents in batches, one call at a time unless they are told', async () => {
    let running = 0
    let most = 0
    const { calls, embed } = recorded(async (texts, call) => {
      most = Math.max(most, ++running)
      await sleep(1)
      running--
      return counted(texts, call)
    })
    const index = await notes({ embed, batchSize: 8 })
    const operations = Array.from({ length: 50 }, (_, i) => ({
      id: `${i}`,
      source: { title: i % 2 === 0 ? 'whale' : 'ship' },
    }))
    const { indexed, failed } = await index.bulk(operations, { refresh: true })
    expect({ indexed, failed, most }).toEqual({ indexed: 50, failed: 0, most: 1 })
    expect(calls.flatMap(({ texts }) => texts)).toHaveLength(50)
    expect(calls.length).toBeLessThan(15)
    const query = { knn: { meaning: { vector: [0, 1, 0], k: 50 } } }
    const { hits } = await index.search({ query, size: 50, minScore: 1 })
    expect(hits).toHaveLength(25)
    const wide = await notes({ embed, batchSize: 4, concurrency: 3 })
    await wide.bulk(operations)
    expect(most).toBe(3)
  })

  it('tell the documents that could not be embedded, and write the others', async () => {
    const picky: EmbedTexts = (texts, call) => {
      if (texts.some(text => text.includes('storm'))) throw new Error('no storms')
      return counted(texts, call)
    }
    const index = await notes({ embed: picky, batchSize: 1, retries: 0 })
    const titles = ['whale', 'storm', 'ship', 'storm']
    const operations = titles.map((title, i) => ({ id: `${i}`, source: { title } }))
    const last = await index.bulk([...operations, { delete: '0' }, { source: { body: 'x' } }])
    expect(last).toMatchObject({ done: 6, indexed: 3, deleted: 1, failed: 2 })
    expect(last.failures.map(({ position, id, error }) => [position, id, error.message])).toEqual([
      [1, '1', 'field [meaning] cannot be embedded: the model failed: no storms'],
      [3, '3', 'field [meaning] cannot be embedded: the model failed: no storms'],
    ])
    expect(await index.get('1')).toBeNull()
    const none = await index.bulk([{ id: '9', source: { title: 'storm' } }])
    expect(none).toMatchObject({ done: 1, indexed: 0, failed: 1 })
  })
})

describe('queries with a model', () => {
  it('have the vectors of their texts, wherever they stand', async () => {
    const { calls, embed } = recorded()
    const index = await notes({ embed })
    await index.put('whale', { title: 'whale' })
    await index.put('ship', { title: 'ship' }, { refresh: true })
    calls.length = 0
    const knn = (text: string): object => ({ knn: { meaning: { text, k: 1 } } })
    const ids = async (request: object): Promise<string[]> =>
      (await index.search(request)).hits.map(({ id }) => id)
    expect(await ids({ query: knn('one ship') })).toEqual(['ship'])
    expect(await ids({ query: { bool: { filter: [knn(' whale ')] } } })).toEqual(['whale'])
    const hybrid = [{ match: { title: 'ship' } }, knn('whale')]
    expect((await ids({ hybrid })).sort()).toEqual(['ship', 'whale'])
    expect(await index.count(knn('ship') as never)).toBe(1)
    const found: string[] = []
    for await (const { id } of index.scan(knn('whale') as never)) found.push(id)
    expect(found).toEqual(['whale'])
    expect(calls.map(({ texts, call }) => [texts, call.purpose])).toEqual([
      [['one ship'], 'query'],
      [[' whale '], 'query'],
      [['whale'], 'query'],
      [['ship'], 'query'],
      [['whale'], 'query'],
    ])
  })

  it('leave the request as it is, and dates in it', async () => {
    const index = await notes({})
    const request = {
      query: {
        bool: {
          should: [{ knn: { meaning: { text: 'whale', k: 1 } } }],
          must_not: [{ range: { year: { gte: new Date(0) } } }],
        },
      },
    }
    const before = structuredClone(request)
    expect((await index.search(request)).hits).toEqual([])
    expect(request).toEqual(before)
  })

  it('are refused without a model, a text, or with two vectors', async () => {
    const index = await notes({})
    const refused = async (field: string, given: object): Promise<unknown> =>
      index.search({ query: { knn: { [field]: given } } }).catch((error: unknown) => error)
    expect(await refused('other', { text: 'x', k: 1 })).toMatchObject({
      type: 'illegal_argument_exception',
      message:
        '[knn] has a [text] for field [other], which has no model: `embed` of its index gives it one',
    })
    expect(await refused('meaning', { text: ' ', k: 1 })).toMatchObject({
      message: '[text] of field [meaning] in [knn] must be a text, not empty',
    })
    expect(await refused('meaning', { text: 'x', vector: [1, 2, 3], k: 1 })).toMatchObject({
      message: '[knn] of field [meaning] takes a [text] or a [vector], not both',
    })
    const plain = await db.index('plain-notes', mapping)
    await expect(
      plain.search({ query: { knn: { meaning: { text: 'x', k: 1 } } } }),
    ).rejects.toMatchObject({ status: 400 })
  })
})

describe('a model that fails', () => {
  const failing = (times: number): EmbedTexts => {
    let left = times
    return (texts, call) => {
      if (left-- > 0) throw new Error('busy')
      return counted(texts, call)
    }
  }

  it('is called again, waiting ever longer', async () => {
    const { calls, embed } = recorded(failing(2))
    const index = await notes({ embed, retryDelayInMillis: 10 })
    const start = performance.now()
    await index.put('1', { title: 'whale' })
    expect(performance.now() - start).toBeGreaterThan(25)
    expect(calls.map(({ call }) => call.attempt)).toEqual([1, 2, 3])
  })

  it('ends the write with an error that names the field', async () => {
    const index = await notes({ embed: failing(3) })
    const error: unknown = await index.put('1', { title: 'whale' }).catch((each: unknown) => each)
    expect(error).toMatchObject({
      type: 'illegal_state_exception',
      message: 'field [meaning] cannot be embedded: the model failed 3 times, at last: busy',
      cause: { cause: { message: 'busy' } },
    })
    expect(await index.get('1')).toBeNull()
    await index.put('1', { title: 'whale' })
    expect((await index.get('1'))!.source.meaning).toEqual(Float32Array.of(1, 0, 0))
  })

  it('by taking too long is told so by its signal', async () => {
    let reason: unknown
    const embed: EmbedTexts = async (_texts, { signal }) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      reason = signal.reason
      return []
    }
    const index = await notes({ embed, retries: 0, timeoutInMillis: 20 })
    await expect(index.put('1', { title: 'whale' })).rejects.toThrow(
      'field [meaning] cannot be embedded: the model failed: it took longer than [20] ms',
    )
    expect(reason).toMatchObject({ message: 'it took longer than [20] ms' })
  })

  it('by giving other things than vectors is told what it gave', async () => {
    const answerOf = async (embed: unknown): Promise<unknown> => {
      const index = await notes({ embed: embed as EmbedTexts, retries: 0 })
      return index.put('1', { title: 'x' }).catch((error: Error) => error.message)
    }
    expect(await answerOf(() => [])).toContain('it gave [0 vectors] for [1] texts')
    expect(await answerOf(() => 'x')).toContain('it gave [string] for [1] texts')
    expect(await answerOf(() => ['x'])).toContain('it gave [string] in place of a vector')
    expect(await answerOf(() => [[1, 2]])).toContain('failed to parse')
  })

  it('or is slow lets no more texts wait than it may', async () => {
    const release = new AbortController()
    const { signal } = release
    const embed: EmbedTexts = async (texts, call) => {
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
      return counted(texts, call)
    }
    const index = await notes({ embed, batchSize: 1, queueSize: 2 })
    const first = index.put('0', { title: 'whale' })
    await sleep(5)
    const more = [1, 2, 3].map(i => index.put(`${i}`, { title: 'ship' }))
    const refused = expect(more[2]).rejects.toMatchObject({
      type: 'rejected_execution_exception',
      message: 'field [meaning] cannot be embedded: [2] texts wait already',
      status: 429,
    })
    await sleep(5)
    release.abort()
    await refused
    await Promise.all([first, more[0], more[1]])
    expect(await index.get('3')).toBeNull()
  })
})

it('options of a model are checked', async () => {
  const refused = async (embedding: object): Promise<unknown> =>
    db
      .index('bad', mapping, { embed: { meaning: embedding as Embedding } })
      .catch(error => error.message)
  expect(await refused({ from: 'title' })).toBe('[embed] of field [meaning] must be a function')
  expect(await refused({ embed: counted })).toContain('[from] of field [meaning] must name')
  expect(await refused({ embed: counted, from: [] })).toContain(
    '[from] of field [meaning] must name',
  )
  expect(await refused({ embed: counted, from: [1] })).toContain('must be a string')
  expect(await refused({ embed: counted, from: 'title', batch: 1 })).toContain(
    'unknown option of an embedding [batch]',
  )
  for (const [key, least] of [
    ['batchSize', 1],
    ['concurrency', 1],
    ['queueSize', 1],
    ['retries', 0],
    ['retryDelayInMillis', 0],
    ['timeoutInMillis', 1],
  ] as const)
    expect(await refused({ embed: counted, from: 'title', [key]: least - 1 })).toBe(
      `[${key}] of field [meaning] must be a whole number of at least ${least}, found [${least - 1}]`,
    )
})
