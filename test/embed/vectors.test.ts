import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { vectorJson } from '../../src/embed/vector-text.ts'
import { type Database, type Index, LamellaError, open, t } from '../../src/index.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'

const notes = t.index({
  title: t.text({ analyzer: 'english', fields: { raw: t.keyword() } }),
  year: t.integer().optional(),
  tags: t.keyword().array().optional(),
  meaning: t.vector(3, { space: 'cosinesimil', method: { engine: 'lucene', m: 8 } }).optional(),
  small: t.vector(2, { type: 'byte' }).optional(),
  bits: t.vector(16, { type: 'binary' }).optional(),
  parts: t.nested({ at: t.long(), v: t.vector(2) }).optional(),
  inner: t.object({ v: t.vector(2) }).optional(),
})
type Note = (typeof notes)['document']

let db: Database
let index: Index<Note>
beforeAll(async () => {
  db = await open()
  index = await db.index('notes', notes)
})
afterAll(() => db.close())

describe('typed mappings', () => {
  it('say how fields are indexed', async () => {
    expect(notes.mapping).toEqual({
      properties: {
        title: { type: 'text', analyzer: 'english', fields: { raw: { type: 'keyword' } } },
        year: { type: 'integer' },
        tags: { type: 'keyword' },
        meaning: {
          type: 'knn_vector',
          dimension: 3,
          space_type: 'cosinesimil',
          method: { name: 'hnsw', engine: 'lucene', parameters: { m: 8 } },
        },
        small: { type: 'knn_vector', dimension: 2, data_type: 'byte' },
        bits: { type: 'knn_vector', dimension: 16, data_type: 'binary' },
        parts: {
          type: 'nested',
          properties: { at: { type: 'long' }, v: { type: 'knn_vector', dimension: 2 } },
        },
        inner: { type: 'object', properties: { v: { type: 'knn_vector', dimension: 2 } } },
      },
    })
    const answer = await db.request({ method: 'GET', path: '/notes/_settings' })
    expect(answer.json()).toMatchObject({ notes: { settings: { index: { knn: 'true' } } } })
  })

  it('give documents their types', () => {
    expectTypeOf<Note['title']>().toEqualTypeOf<string>()
    expectTypeOf<Note['year']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Note['tags']>().toEqualTypeOf<readonly string[] | undefined>()
    expectTypeOf<Note['meaning']>().toEqualTypeOf<Float32Array | undefined>()
    expectTypeOf<Note['bits']>().toEqualTypeOf<Int8Array | undefined>()
    expectTypeOf(index).toEqualTypeOf<Index<Note>>()
  })

  it('name every option of a vector', () => {
    const options = {
      space: 'l2',
      type: 'float',
      mode: 'on_disk',
      compressionLevel: '32x',
    } as const
    expect(t.vector(8, options).parameters).toEqual({
      type: 'knn_vector',
      dimension: 8,
      data_type: 'float',
      space_type: 'l2',
      mode: 'on_disk',
      compression_level: '32x',
    })
    const method = { name: 'flat', engine: 'lucene' } as const
    expect(t.vector(8, { method }).parameters['method']).toEqual(method)
    const graph = { engine: 'faiss', m: 4, efConstruction: 50, efSearch: 60 } as const
    expect(t.vector(8, { method: graph }).parameters['method']).toEqual({
      name: 'hnsw',
      engine: 'faiss',
      parameters: { m: 4, ef_construction: 50, ef_search: 60 },
    })
  })

  it('refuse what no field takes, in words that help', async () => {
    const options = { spcae: 'l2' } as never
    expect(() => t.vector(3, options)).toThrow('unknown option of a vector [spcae] did you mean')
    expect(() => t.vector(3, { method: { ef: 3 } as never })).toThrow(
      'unknown option of a method [ef]',
    )
    expect(() => t.vector(3).array()).toThrow('a document has one vector in a field')
    expect(() => t.index({ a: { type: 'text' } as never })).toThrow('field [a] must be made by `t`')
    await expect(db.index('none', t.index({ v: t.vector(0) }))).rejects.toMatchObject({
      type: 'mapper_parsing_exception',
    })
  })

  it('let the index be without neighbours', async () => {
    const settings = { knn: false }
    const mapping = t.index({ v: t.vector(2) })
    const plain = await db.index('plain', mapping, { settings })
    await plain.put('1', { v: Float32Array.of(1, 2) }, { refresh: true })
    const query = { knn: { v: { vector: Float32Array.of(1, 2), k: 1 } } }
    await expect(plain.search({ query })).rejects.toThrow('is not built for ANN search')
  })
})

describe('vectors as typed arrays', () => {
  const note: Note = {
    title: 'whales',
    tags: ['sea'],
    meaning: Float32Array.of(0.1, -2.5e-8, 3),
    small: Int8Array.of(-128, 127),
    bits: Int8Array.of(-1, 5),
    parts: [
      { at: 1, v: Float32Array.of(1, 2) },
      { at: 2, v: Float32Array.of(3.25, 4) },
    ],
    inner: { v: Float32Array.of(0.3, 0.7) },
  }

  it('come back as they were given, by a get, a search and a scan', async () => {
    await index.put('whale', note, { refresh: true })
    expect((await index.get('whale'))!.source).toEqual(note)
    const { hits } = await index.search({ query: { ids: { values: ['whale'] } } })
    expect(hits[0]!.source).toEqual(note)
    expect(hits[0]!.source!.meaning).toBeInstanceOf(Float32Array)
    for await (const { source } of index.scan({ ids: { values: ['whale'] } }))
      expect(source).toEqual(note)
  })

  it('are copies: what is changed later is not what was written or read', async () => {
    const given = Float32Array.of(1, 2, 3)
    const writing = index.put('copied', { title: 'copied', meaning: given })
    given.fill(9)
    await writing
    const first = (await index.get('copied'))!.source.meaning!
    expect(first).toEqual(Float32Array.of(1, 2, 3))
    first.fill(7)
    expect((await index.get('copied'))!.source.meaning).toEqual(Float32Array.of(1, 2, 3))
  })

  it('stand in bulks, in the sources of nested hits and in selected parts', async () => {
    const { failed } = await index.bulk([{ id: 'bulk', source: { ...note, title: 'bulk' } }], {
      refresh: true,
    })
    expect(failed).toBe(0)
    const inside = { nested: { path: 'parts', query: { term: { 'parts.at': 2 } }, inner_hits: {} } }
    const query = { bool: { must: [inside, { ids: { values: ['bulk'] } }] } }
    const { hits } = await index.search({ query, source: ['inner.v', 'small'] })
    expect(hits[0]!.source).toEqual({ inner: note.inner, small: note.small })
    const [part] = hits[0]!.innerHits!['parts']!.hits
    expect(part!.source).toEqual({ at: 2, v: Float32Array.of(3.25, 4) })
  })

  it('are asked for in queries', async () => {
    await index.put('near', { title: 'near', meaning: Float32Array.of(1, 0.5, 0) })
    await index.put(
      'far',
      { title: 'far', meaning: Float32Array.of(-1, -0.5, 0) },
      { refresh: true },
    )
    const vector = Float32Array.of(1, 0.5, 0)
    const { hits } = await index.search({ query: { knn: { meaning: { vector, k: 50 } } } })
    expect(hits[0]).toMatchObject({ id: 'near', score: 1 })
    expect(hits.at(-1)).toMatchObject({ id: 'far', score: 0 })
    expect(await index.count({ knn: { meaning: { vector, k: 1 } } })).toBe(1)
  })

  it('whose names are written as one are found too', async () => {
    await index.put('dotted', encodeUtf8('{"title":"dotted","inner.v":[1,"2"]}'))
    expect((await index.get('dotted'))!.source).toEqual({
      title: 'dotted',
      'inner.v': Float32Array.of(1, 2),
    })
  })

  it('that no field takes are refused in words of the field', async () => {
    const put = (meaning: Float32Array): Promise<unknown> =>
      index.put('bad', { title: 'bad', meaning })
    const causeOf = async (meaning: Float32Array): Promise<string> => {
      const error: unknown = await put(meaning).catch((each: unknown) => each)
      expect(error).toBeInstanceOf(LamellaError)
      return JSON.stringify((error as LamellaError).cause, (key, value) =>
        key === 'record' ? value : value,
      )
    }
    expect(await causeOf(Float32Array.of(1, 2))).toContain(
      'Vector dimension mismatch. Expected: 3, Given: 2',
    )
    expect(await causeOf(Float32Array.of(1, Number.NaN, 2))).toContain('cannot be NaN')
    expect(await causeOf(Float32Array.of(1, Infinity, 2))).toContain('cannot be infinity')
    expect(await causeOf(Float32Array.of(0, 0, 0))).toContain('zero vector is not supported')
  })

  it('stay lists where the mapping is not typed', async () => {
    const properties = { v: { type: 'knn_vector', dimension: 2 } }
    const plain = await db.index<{ v: readonly number[] | Float32Array }>('untyped', { properties })
    await plain.put('1', { v: Float32Array.of(0.1, 2) })
    expect((await plain.get('1'))!.source).toEqual({ v: [0.1, 2] })
  })
})

describe('the text of vectors', () => {
  it('reads back as the same float32, whatever the bits', () => {
    const words = fc.array(fc.integer({ min: 0, max: 0xffffffff }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(words, bits => {
        const vector = new Float32Array(Uint32Array.from(bits).buffer)
        const list = JSON.parse(vectorJson({ v: vector })!).v as (number | string)[]
        expect(Float32Array.from(list, Number)).toEqual(vector)
      }),
      { seed: 6, numRuns: 500 },
    )
  })

  it('is that of JSON.stringify for all else', () => {
    const date = new Date(0)
    const values = [1, 'x', null, undefined, [undefined, date], { a: undefined, b: [date], c: {} }]
    for (const value of values) {
      expect(vectorJson(value)).toBe(JSON.stringify(value))
      const beside = vectorJson({ value, v: Int8Array.of(-1) })
      const plain = JSON.stringify({ value, v: [-1] })
      expect(beside).toBe(plain)
    }
    expect(vectorJson([Float64Array.of(0.1, -0)])).toBe('[[0.1,0]]')
  })

  it('has no end in a cycle, which is refused', async () => {
    const one: Record<string, unknown> = { v: Float32Array.of(1) }
    const two = { one, again: one }
    Object.assign(one, { two, self: one, both: [two, one] })
    await expect(db.index('cycle').then(each => each.put('1', one))).rejects.toThrow(
      'a document cannot be written as JSON',
    )
    delete one['v']
    expect(() => vectorJson(one)).toThrow('circular')
  })
})
