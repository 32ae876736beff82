import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../../support/field-index.ts'
import { throughLife } from '../../support/field-life.ts'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'

// Facts of refusals: KNNVectorFieldMapper, KNNValidationUtil and the engines of the k-NN plugin, branch 3.6.
let index: FieldIndex
let rest: Rest

const FIELDS = {
  f: { type: 'knn_vector', dimension: 3 },
  b: { type: 'knn_vector', dimension: 2, data_type: 'byte' },
  bits: { type: 'knn_vector', dimension: 16, data_type: 'binary' },
  cos: { type: 'knn_vector', dimension: 2, space_type: 'cosinesimil' },
  one: { type: 'knn_vector', dimension: 1 },
  shown: { type: 'knn_vector', dimension: 2, doc_values: true },
  bytesShown: { type: 'knn_vector', dimension: 2, data_type: 'byte', doc_values: true },
  o: { properties: { v: { type: 'knn_vector', dimension: 2 } } },
  n: { type: 'nested', properties: { v: { type: 'knn_vector', dimension: 2 } } },
}

beforeAll(async () => {
  index = await fieldIndex(FIELDS, null, { 'index.knn': true })
  rest = index.rest
})
afterAll(() => index.close())

const MISMATCH = 'Vector dimension mismatch. Expected: 3, Given: '

describe('documents with vectors', () => {
  it.each<[object | string, type: string, reason: string]>([
    [{ f: [1, 2] }, 'illegal_argument_exception', `${MISMATCH}2`],
    [{ f: [1, 2, 3, 4] }, 'illegal_argument_exception', `${MISMATCH}4`],
    [{ f: [] }, 'illegal_argument_exception', `${MISMATCH}0`],
    [{ f: 7 }, 'illegal_argument_exception', `${MISMATCH}1`],
    [{ f: 'text' }, 'illegal_argument_exception', `${MISMATCH}0`],
    [{ f: true }, 'illegal_argument_exception', `${MISMATCH}0`],
    [{ f: { x: 1 } }, 'illegal_argument_exception', `${MISMATCH}0`],
    [{ f: [1, 'NaN', 3] }, 'illegal_argument_exception', 'KNN vector values cannot be NaN'],
    [
      { f: [1, '-Infinity', 3] },
      'illegal_argument_exception',
      'KNN vector values cannot be infinity',
    ],
    ['{"f":[1,1e39,3]}', 'illegal_argument_exception', 'KNN vector values cannot be infinity'],
    [{ f: [1, 'two', 3] }, 'number_format_exception', 'For input string: "two"'],
    [{ f: [1, '', 3] }, 'number_format_exception', 'empty String'],
    [
      { f: [1, null, 3] },
      'json_parse_exception',
      'Current token (VALUE_NULL) not numeric, can not use numeric value accessors',
    ],
    [
      { f: [1, false, 3] },
      'json_parse_exception',
      'Current token (VALUE_FALSE) not numeric, can not use numeric value accessors',
    ],
    [
      { f: [[1, 2, 3]] },
      'json_parse_exception',
      'Current token (START_ARRAY) not numeric, can not use numeric value accessors',
    ],
    [
      { f: [1, { index: 2 }] },
      'json_parse_exception',
      'Current token (START_OBJECT) not numeric, can not use numeric value accessors',
    ],
    [
      { b: [1, 1.5] },
      'illegal_argument_exception',
      '[data_type] field was set as [byte] in index mapping. But, KNN vector values are floats ' +
        'instead of byte integers',
    ],
    [
      { b: [1, 128] },
      'illegal_argument_exception',
      '[data_type] field was set as [byte] in index mapping. But, KNN vector values are not within ' +
        'in the byte range [-128, 127]',
    ],
    [
      { bits: [-129, 1] },
      'illegal_argument_exception',
      '[data_type] field was set as [binary] in index mapping. But, KNN vector values are not ' +
        'within in the byte range [-128, 127]',
    ],
    [
      { bits: [1, 2, 3] },
      'illegal_argument_exception',
      'The dimension of the binary vector must be 8 times the length of the provided vector. ' +
        'Expected: 16, Given: 24',
    ],
    [
      { cos: [0, -0.0] },
      'illegal_argument_exception',
      'zero vector is not supported when space type is [cosinesimil]',
    ],
    [
      { o: [{ v: [1, 2] }, { v: [3, 4] }] },
      'illegal_argument_exception',
      'VectorValuesField "o.v" appears more than once in this document (only one value is allowed ' +
        'per field)',
    ],
  ])('refuse %j', async (source, type, reason) => {
    expect(await index.refused(source)).toEqual([type, reason])
    expect((await rest.call('GET /i/_doc/refused')).json.found).toBe(false)
  })

  it('name the field, its type and the value in their refusal', async () => {
    const { status, json } = await rest.call('PUT /i/_doc/x', { f: [1, 'two', 3] })
    expect([status, json.error.reason]).toEqual([
      400,
      "failed to parse field [f] of type [knn_vector] in document with id 'x'. Preview of field's " +
        "value: 'two'",
    ])
    const short = await rest.call('PUT /i/_doc/x', { f: [1] })
    expect(short.json.error.reason).toContain("Preview of field's value: 'null'")
  })

  it('go on behind one that is refused in a bulk request', async () => {
    const { json } = await rest.call(
      'POST /i/_bulk?refresh',
      ndjson(
        { index: { _id: 'k1' } },
        { f: [1, 2, 3] },
        { index: { _id: 'k2' } },
        { f: [1, 2], shown: [1, 2] },
        { index: { _id: 'k3' } },
        { f: [4, 5, 6] },
      ),
    )
    expect(json.items.map((item: { index: { status: number } }) => item.index.status)).toEqual([
      201, 400, 201,
    ])
    expect(await index.find({ exists: { field: 'f' } })).toEqual(['k1', 'k3'])
    await rest.call('DELETE /i/_doc/k1')
    await rest.call('DELETE /i/_doc/k3?refresh')
  })

  it('take numbers in texts, a single number, and null for no vector', async () => {
    await index.add({ f: ['1', '2.5', ' -3e0 '] }, { one: 7 }, { f: null }, { f: [1, 2, 3] })
    expect(await index.find({ exists: { field: 'f' } })).toEqual(['0', '3'])
    expect(await index.find({ exists: { field: 'one' } })).toEqual(['1'])
    const { json } = await rest.call('GET /i/_doc/0')
    expect(json._source).toEqual({ f: ['1', '2.5', ' -3e0 '] })
  })

  it('have vectors in objects and in nested objects', async () => {
    await index.add({ o: { v: [1, 2] } }, { n: [{ v: [1, 2] }, { v: [3, 4] }, { x: 1 }] })
    expect(await index.find({ exists: { field: 'o.v' } })).toEqual(['4'])
    expect(
      await index.find({ nested: { path: 'n', query: { exists: { field: 'n.v' } } } }),
    ).toEqual(['5'])
  })

  it('print vectors as doc values where the field keeps them, and as fields', async () => {
    await rest.call('PUT /i/_doc/p?refresh', {
      shown: [1, 0.1],
      bytesShown: [-128, 127],
      f: [1, 2, 3],
    })
    const { json } = await rest.call('POST /i/_search', {
      query: { ids: { values: ['p'] } },
      docvalue_fields: ['shown', 'bytesShown'],
      fields: ['f'],
    })
    expect(json.hits.hits[0].fields).toEqual({
      shown: [[1, 0.1]],
      bytesShown: [[-128, 127]],
      f: [1, 2, 3],
    })
    expect(await index.refusal({ docvalue_fields: ['f'] })).toEqual([
      400,
      "Can't load fielddata on [f] because fielddata is unsupported on fields of type " +
        '[knn_vector]. Use doc values instead.',
    ])
  })

  it('find vectors by no term, range or sort', async () => {
    const [, term] = await index.refusal({ query: { term: { f: 1 } } })
    expect(term).toBe('KNN vector do not support exact searching, use KNN queries instead: [f]')
    const [, range] = await index.refusal({ query: { range: { f: { gt: 1 } } } })
    expect(range).toBe('Field [f] of type [knn_vector] does not support range queries')
    const [, sort] = await index.refusal({ sort: ['f'] })
    expect(sort).toContain("Can't load fielddata on [f]")
    const [, buckets] = await index.refusal({ aggs: { a: { terms: { field: 'shown' } } } })
    expect(buckets).toContain('knn_vector')
  })
})

describe('a vector of a document', () => {
  it('goes with updates and deletes, through merges and a restart', async () => {
    await throughLife(
      {
        properties: { v: { type: 'knn_vector', dimension: 2, doc_values: true } },
        settings: { 'index.knn': true },
        documents: { a: { v: [1, 2] }, b: { x: 1 }, c: { v: [0.1, -5] }, d: { v: [3, 4] } },
      },
      async ({ rest, ids }) => {
        const values = async (): Promise<object> => {
          const { json } = await rest.call('POST /i/_search', {
            docvalue_fields: ['v'],
            sort: ['_doc'],
          })
          return Object.fromEntries(
            json.hits.hits.map((hit: { _id: string; fields?: { v: unknown } }) => [
              hit._id,
              hit.fields?.v,
            ]),
          )
        }
        const whole = { a: [[1, 2]], b: undefined, c: [[0.1, -5]], d: [[3, 4]] }
        expect(await values()).toEqual(whole)
        expect(await ids({ exists: { field: 'v' } })).toEqual(['a', 'c', 'd'])
        await rest.call('POST /i/_update/a?refresh', { doc: { v: [9, 9] } })
        await rest.call('DELETE /i/_doc/d?refresh')
        expect(await values()).toEqual({ a: [[9, 9]], b: undefined, c: [[0.1, -5]] })
        expect((await rest.call('GET /i/_doc/a')).json._source).toEqual({ v: [9, 9] })
        await rest.call('PUT /i/_doc/a', { v: [1, 2] })
        await rest.call('PUT /i/_doc/d?refresh', { v: [3, 4] })
      },
    )
  })
})

describe('mappings of vectors', () => {
  const put = async (field: object, settings: object = { 'index.knn': true }) => {
    const made = await openRest()
    try {
      const properties = { v: { type: 'knn_vector', ...field } }
      const created = await made.call('PUT /i', { settings, mappings: { properties } })
      if (created.status !== 200) {
        let { error } = created.json
        while (error.caused_by !== undefined) error = error.caused_by
        return [error.type, error.reason]
      }
      const { json } = await made.call('GET /i/_mapping')
      return json.i.mappings.properties.v
    } finally {
      await made.close()
    }
  }
  const hnsw = (more: object = {}): object => ({ name: 'hnsw', ...more })
  const encoder = (name: string, parameters: object, engine = 'faiss'): object => ({
    dimension: 8,
    method: hnsw({ engine, parameters: { encoder: { name, parameters } } }),
  })

  it.each<[object, object]>([
    [{ dimension: 4 }, { type: 'knn_vector', dimension: 4 }],
    [
      { dimension: '4', data_type: 'byte', space_type: 'innerproduct' },
      { type: 'knn_vector', dimension: 4, data_type: 'byte', space_type: 'innerproduct' },
    ],
    [
      { dimension: 4, method: hnsw() },
      {
        type: 'knn_vector',
        dimension: 4,
        method: { engine: 'faiss', space_type: 'l2', name: 'hnsw', parameters: {} },
      },
    ],
    [
      {
        dimension: 4,
        method: hnsw({
          engine: 'LUCENE',
          space_type: 'CosineSimil',
          parameters: { m: 8, ef_construction: 64 },
        }),
      },
      {
        type: 'knn_vector',
        dimension: 4,
        method: {
          engine: 'lucene',
          space_type: 'cosinesimil',
          name: 'hnsw',
          parameters: { m: 8, ef_construction: 64 },
        },
      },
    ],
    [
      encoder('sq', { bits: 16, type: 'fp16', clip: true }),
      {
        type: 'knn_vector',
        dimension: 8,
        method: {
          engine: 'faiss',
          space_type: 'l2',
          name: 'hnsw',
          parameters: {
            encoder: { name: 'sq', parameters: { bits: 16, type: 'fp16', clip: true } },
          },
        },
      },
    ],
    [
      { dimension: 4, mode: 'on_disk', compression_level: '16x' },
      { type: 'knn_vector', dimension: 4, mode: 'on_disk', compression_level: '16x' },
    ],
    [
      { dimension: 4, method: { name: 'flat' }, compression_level: '32x' },
      {
        type: 'knn_vector',
        dimension: 4,
        compression_level: '32x',
        method: { engine: 'lucene', space_type: 'l2', name: 'flat', parameters: {} },
      },
    ],
  ])('take %j', async (field, printed) => {
    expect(await put(field)).toEqual(printed)
  })

  const faults = (...all: readonly string[]): string =>
    `Validation Failed: ${all.map((fault, i) => `${i + 1}: ${fault};`).join('')}`
  it.each<[object, type: string, reason: string]>([
    [{}, 'illegal_argument_exception', 'Dimension value missing for vector: v'],
    [
      { dimension: 0 },
      'illegal_argument_exception',
      'Dimension value must be greater than 0 for vector: v',
    ],
    [
      { dimension: 'ten' },
      'illegal_argument_exception',
      'Unable to parse [dimension] from provided value [ten] for vector [v]',
    ],
    [
      { dimension: 16001 },
      'validation_exception',
      faults('Dimension value cannot be greater than 16000 for vector with engine: faiss'),
    ],
    [
      { dimension: 12, data_type: 'binary' },
      'validation_exception',
      faults('Dimension should be multiply of 8 for binary vector data type'),
    ],
    [
      { dimension: 4, data_type: 'double' },
      'illegal_argument_exception',
      'Invalid value provided for [data_type] field. Supported values are [binary,byte,float]',
    ],
    [
      { dimension: 4, space_type: 'far' },
      'illegal_argument_exception',
      'Unable to find space: far . Valid values are: [l2, cosinesimil, l1, linf, innerproduct, hamming]',
    ],
    [
      { dimension: 4, space_type: 'l1' },
      'validation_exception',
      faults('"hnsw" with "faiss" configuration does not support space type: "l1".'),
    ],
    [
      { dimension: 8, data_type: 'binary', space_type: 'l2' },
      'illegal_argument_exception',
      'Space type [l2] is not supported with [binary] data type',
    ],
    [
      { dimension: 8, space_type: 'hamming' },
      'illegal_argument_exception',
      'Space type [hamming] is not supported with [float] data type',
    ],
    [
      { dimension: 4, space_type: 'l2', method: hnsw({ space_type: 'innerproduct' }) },
      'mapper_parsing_exception',
      'Cannot specify conflicting space types: "[innerproduct]" "[l2]"',
    ],
    [
      { dimension: 4, engine: 'lucene', method: hnsw({ engine: 'faiss' }) },
      'mapper_parsing_exception',
      'Cannot specify conflicting engines: [faiss] and [lucene]',
    ],
    [{ dimension: 4, engine: 'annoy' }, 'illegal_argument_exception', 'Invalid engine type: annoy'],
    [
      { dimension: 4, engine: 'nmslib' },
      'illegal_argument_exception',
      'nmslib engine is deprecated in OpenSearch  and cannot be used for new index creation in ' +
        'OpenSearch from  3.0.0.',
    ],
    [{ model_id: 'm' }, 'illegal_argument_exception', '[model_id] is not supported yet'],
    [
      { dimension: 4, model_id: 'm' },
      'illegal_argument_exception',
      'Cannot specify both a modelId and dimension in the mapping: v',
    ],
    [
      { model_id: 'm', method: hnsw() },
      'illegal_argument_exception',
      'Method and model can not be both specified in the mapping: v',
    ],
    [{ dimension: 4, method: {} }, 'mapper_parsing_exception', 'name needs to be set'],
    [
      { dimension: 4, method: 'hnsw' },
      'mapper_parsing_exception',
      'Unable to parse mapping into KNNMethodContext. Object not of type "Map"',
    ],
    [
      { dimension: 4, method: hnsw({ engine: 'annoy' }) },
      'mapper_parsing_exception',
      'Invalid engine: annoy',
    ],
    [
      { dimension: 4, method: hnsw({ speed: 1 }) },
      'mapper_parsing_exception',
      'Invalid parameter: speed',
    ],
    [
      { dimension: 4, method: { name: 'tree' } },
      'validation_exception',
      faults('Invalid method name: tree'),
    ],
    [
      { dimension: 4, method: { name: 'ivf' } },
      'validation_exception',
      faults('"method" requires training.'),
    ],
    [encoder('pq', { m: 2 }), 'validation_exception', faults('"method" requires training.')],
    [
      { dimension: 4, method: hnsw({ parameters: { m: 0, ef_construction: 'x', depth: 3 } }) },
      'validation_exception',
      faults(
        'parameter validation failed for Integer parameter [m].',
        'value is not an instance of Integer for Integer parameter [ef_construction].',
        "Unknown parameter 'depth' found",
      ),
    ],
    [
      encoder('sq', {}),
      'validation_exception',
      faults(
        'Parameter [bits] is required for encoder [sq] on indices created with version 3.6.0 or ' +
          'later. Supported values: [16, 1]',
      ),
    ],
    [
      encoder('sq', { bits: 1, type: 'fp16' }),
      'validation_exception',
      faults(
        'Parameter [type] is not supported when [bits=1] for encoder [sq]. The type parameter is ' +
          'only applicable for fp16 quantization (bits=16).',
      ),
    ],
    [
      encoder('sq', { bits: 3 }, 'lucene'),
      'validation_exception',
      faults('parameter validation failed for MethodComponentContext parameter [encoder].'),
    ],
    [
      { ...encoder('sq', { bits: 16 }), compression_level: '32x' },
      'validation_exception',
      faults(
        'Compression level [32x] is incompatible with [bits=16] for encoder [sq]. Expected ' +
          'compression level: [2x]',
      ),
    ],
    [
      { dimension: 4, compression_level: '64x' },
      'validation_exception',
      faults('"faiss" does not support "64x" compression'),
    ],
    [
      { dimension: 4, engine: 'faiss', compression_level: '4x' },
      'mapper_parsing_exception',
      'Lucene is the only engine that supports 4x compression',
    ],
    [
      { dimension: 4, data_type: 'byte', mode: 'on_disk' },
      'mapper_parsing_exception',
      'Compression and mode cannot be used for non-float32 data type for field v',
    ],
    [
      { dimension: 4, method: { name: 'flat', parameters: { m: 3 } } },
      'validation_exception',
      faults('Parameters are not supported for the "flat" method'),
    ],
    [
      { dimension: 4, data_type: 'byte', space_type: 'cosinesimil' },
      'validation_exception',
      faults(
        'Faiss engine does not support cosine similarity with byte vectors. Cosine similarity ' +
          'requires vector normalization which is only supported for float vectors. Please use ' +
          'float data type or choose a different space type like l2 or inner_product.',
      ),
    ],
    [
      { dimension: 4, ignore_malformed: true },
      'mapper_parsing_exception',
      'unknown parameter [ignore_malformed] on mapper [v] of type [knn_vector]',
    ],
  ])('refuse %j', async (field, type, reason) => {
    expect(await put(field)).toEqual([type, reason])
  })

  it('keep vectors for scripts alone in an index without index.knn', async () => {
    expect(await put({ dimension: 4 }, {})).toEqual({ type: 'knn_vector', dimension: 4 })
    expect(await put({ dimension: 4, method: hnsw() }, {})).toEqual([
      'illegal_argument_exception',
      'Cannot set modelId or method parameters when index.knn setting is false',
    ])
    expect(await put({ dimension: 4, mode: 'on_disk' }, {})).toEqual([
      'mapper_parsing_exception',
      'Compression and mode can not be specified in a flat mapping configuration for field: v',
    ])
  })

  it('cannot be changed but for notes', async () => {
    const change = (field: object) =>
      rest.call('PUT /i/_mapping', { properties: { f: { type: 'knn_vector', ...field } } })
    expect((await change({ dimension: 3 })).status).toBe(200)
    expect((await change({ dimension: 3, meta: { model: 'x' } })).status).toBe(200)
    const { status, json } = await change({ dimension: 4 })
    expect([status, json.error.reason]).toEqual([
      400,
      'Mapper for [f] conflicts with existing mapper:\n' +
        '\tCannot update parameter [dimension] from [3] to [4]',
    ])
  })
})
