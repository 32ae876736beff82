import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /b', {
    mappings: { properties: { k: { type: 'keyword' }, l: { type: 'object', enabled: false } } },
  })
  // As text: JavaScript has no number of its size.
  await rest.call('PUT /b/_doc/1', '{"k":"x,y,,","n":1,"l":[3,1,2],"s":5,"big":9007199254740993}')
  await rest.call('PUT /b/_doc/2', { k: ['x', 'z'], n: 1, l: ['b', 'a'], s: 9 })
  await rest.call('PUT /b/_doc/3', { k: 'w', n: 2, l: 5, s: 1 })
  await rest.call('POST /b/_refresh')
})
afterAll(() => rest.close())

/** A search for documents in order of id, through processors of its response. */
function through(processors: readonly object[], body: object = {}): Promise<Answered> {
  const search_pipeline = { response_processors: processors }
  return rest.call('GET /b/_search', { sort: '_doc', ...body, search_pipeline })
}

/** A key of all hits. */
function column({ json }: Answered, key: string): unknown[] {
  return json.hits.hits.map((hit: Record<string, unknown>) => hit[key])
}

function only(id: string): object {
  return { query: { ids: { values: [id] } } }
}

/** The error of a search. */
function errorOf({ status, json }: Answered): unknown[] {
  return [status, json.error.type, json.error.reason]
}

/** The error of a processor that is put. */
async function refusal(processor: object): Promise<unknown[]> {
  return errorOf(await rest.call('PUT /_search/pipeline/p', { response_processors: [processor] }))
}

describe('rename_field', () => {
  const rename = (options: object): object => ({
    rename_field: { field: 'n', target_field: 'm', ...options },
  })

  it('renames a key of sources, and keeps all else as it is', async () => {
    const { text } = await through([rename({})], only('1'))
    expect(text).toContain('{"k":"x,y,,","l":[3,1,2],"s":5,"big":9007199254740993,"m":1}')
  })

  it('renames fields, and puts them in place of others', async () => {
    const renamed = await through([rename({ target_field: 'k' })], {
      ...only('3'),
      fields: ['n', 'k'],
    })
    expect(column(renamed, 'fields')).toEqual([{ k: [2] }])
    expect(column(renamed, '_source')).toEqual([{ l: 5, s: 1, k: 2 }])
  })

  it('needs the field in the first hits, unless missing ones may be', async () => {
    const missing = await through([rename({ field: 'big' })], { sort: { n: 'desc' } })
    expect(errorOf(missing)).toEqual([
      400,
      'illegal_argument_exception',
      'Document with id 3 is missing field big',
    ])
    expect((await through([rename({ field: 'big' })])).status).toBe(200)
    const none = await through([rename({ field: 'none', ignore_missing: true })])
    expect(none.status).toBe(200)
    const bare = await through([rename({})], { _source: false })
    expect(errorOf(bare)[2]).toBe('Document with id 1 is missing field n')
  })

  it('leaves an answer without hits alone', async () => {
    const { status, json } = await through([rename({ field: 'none' })], { size: 0 })
    expect([status, json.hits.total.value]).toEqual([200, 3])
  })

  it.each([
    [{ field: null }, '[field] required property is missing'],
    [{ target_field: null }, '[target_field] required property is missing'],
    [{ field: 1 }, "[field] property isn't a string, but of type [java.lang.Integer]"],
    [
      { ignore_missing: 'a' },
      "[ignore_missing] property isn't a boolean, but of type [java.lang.String]",
    ],
  ])('refuses %j', async (options, reason) => {
    expect(await refusal(rename(options))).toEqual([400, 'parse_exception', reason])
  })
})

describe('truncate_hits', () => {
  it('keeps the first hits, and all else', async () => {
    const { json } = await through([{ truncate_hits: { target_size: 2 } }], { track_scores: true })
    expect(json.hits.hits).toHaveLength(2)
    expect(json.hits).toMatchObject({ total: { value: 3, relation: 'eq' }, max_score: 1 })
    expect(column(await through([{ truncate_hits: { target_size: 0 } }]), '_id')).toEqual([])
    expect(column(await through([{ truncate_hits: { target_size: '9' } }]), '_id')).toHaveLength(3)
  })

  it('needs a size', async () => {
    for (const options of [{}, { target_size: -1 }])
      expect(errorOf(await through([{ truncate_hits: options }]))).toEqual([
        400,
        'illegal_state_exception',
        'Must specify target_size unless an earlier processor set original_size',
      ])
    expect(await refusal({ truncate_hits: { target_size: 'a' } })).toEqual([
      400,
      'parse_exception',
      '[target_size] property cannot be converted to an int [a]',
    ])
  })
})

describe('collapse', () => {
  const scored = {
    sort: '_score',
    query: { function_score: { field_value_factor: { field: 's' }, boost_mode: 'replace' } },
  }

  it('keeps the best hit of each value, by score', async () => {
    const plain = await rest.call('GET /b/_search', scored)
    expect(column(plain, '_id')).toEqual(['2', '1', '3'])
    const collapsed = await through([{ collapse: { field: 'n' } }], scored)
    expect(column(collapsed, '_id')).toEqual(['2', '3'])
    expect(collapsed.json.hits.total.value).toBe(3)
  })

  it('looks at fields before sources, and groups hits without the field', async () => {
    const body = { ...scored, fields: ['n'], _source: false }
    expect(column(await through([{ collapse: { field: 'n' } }], body), '_id')).toEqual(['2', '3'])
    expect(column(await through([{ collapse: { field: 'none' } }], body), '_id')).toEqual(['2'])
    expect(column(await through([{ collapse: { field: 'big' } }], scored), '_id')).toEqual([
      '2',
      '1',
    ])
  })

  it('keeps the first hit of a value where hits have no score', async () => {
    expect(column(await through([{ collapse: { field: 'n' } }]), '_id')).toEqual(['1', '3'])
  })

  it('refuses several values of a field', async () => {
    const several = await through([{ collapse: { field: 'k' } }], { fields: ['k'] })
    expect(errorOf(several)).toEqual([
      400,
      'illegal_state_exception',
      'Document 2 has multiple values for field k',
    ])
    expect(await refusal({ collapse: {} })).toEqual([
      400,
      'parse_exception',
      '[field] required property is missing',
    ])
  })
})

describe('sort', () => {
  it('orders lists of sources and fields', async () => {
    const sorted = await through([{ sort: { field: 'l' } }])
    expect(column(sorted, '_source')).toMatchObject([{ l: [1, 2, 3] }, { l: ['a', 'b'] }, { l: 5 }])
    const down = await through([{ sort: { field: 'k', order: 'desc', target_field: 't' } }], {
      ...only('2'),
      fields: ['k'],
    })
    expect(column(down, 'fields')).toEqual([{ k: ['x', 'z'], t: ['z', 'x'] }])
    expect(column(down, '_source')).toMatchObject([{ k: ['x', 'z'], t: ['z', 'x'] }])
  })

  it('passes over hits without the field', async () => {
    const { text } = await through([{ sort: { field: 'none' } }], only('1'))
    expect(text).toContain('{"k":"x,y,,","n":1,"l":[3,1,2],"s":5,"big":9007199254740993}')
  })

  it.each([
    [[1, null], 'field [l] contains a null value.]'],
    [[{ a: 1 }], 'field [l] of type [java.util.HashMap] is not comparable.]'],
    [[[1]], 'field [l] of type [java.util.ArrayList] is not comparable.]'],
    [[1, 'a'], 'class java.lang.String cannot be cast to class java.lang.Integer'],
  ])('refuses %j', async (l, reason) => {
    await rest.call('PUT /odd', { mappings: { enabled: false } })
    await rest.call('PUT /odd/_doc/1?refresh=true', { l })
    const found = await rest.call('GET /odd/_search', {
      search_pipeline: { response_processors: [{ sort: { field: 'l' } }] },
    })
    expect(found.json.error.type).toBe('illegal_argument_exception')
    expect([reason, reason.replace(/(String)(.*)(Integer)/, '$3$2$1')]).toContain(
      found.json.error.reason,
    )
  })

  it.each([
    [{}, '[field] required property is missing'],
    [
      { field: 'a', order: 'up' },
      '[order] Sort direction [up] not recognized. Valid values are: [asc, desc]',
    ],
    [
      { field: 'a', target_field: 1 },
      "[target_field] property isn't a string, but of type [java.lang.Integer]",
    ],
  ])('refuses options %j', async (options, reason) => {
    expect(await refusal({ sort: options })).toEqual([400, 'parse_exception', reason])
  })
})

describe('split', () => {
  const split = (options: object): object => ({ split: { field: 'k', separator: ',', ...options } })

  it('splits texts of sources and fields', async () => {
    const parts = await through([split({})], { ...only('1'), fields: ['k'] })
    expect(column(parts, '_source')).toMatchObject([{ k: ['x', 'y'] }])
    expect(column(parts, 'fields')).toEqual([{ k: ['x', 'y'] }])
    const all = await through([split({ preserve_trailing: true, target_field: 't' })], only('1'))
    expect(column(all, '_source')).toMatchObject([{ k: 'x,y,,', t: ['x', 'y', '', ''] }])
    const pattern = await through([split({ separator: '[,y]+' })], only('1'))
    expect(column(pattern, '_source')).toMatchObject([{ k: ['x'] }])
  })

  it('leaves a value of a source that is no text', async () => {
    expect(column(await through([split({ field: 'l' })], only('1')), '_source')).toMatchObject([
      { l: [3, 1, 2] },
    ])
    const number = await through([split({ field: 'n' })], { fields: ['n'] })
    expect(errorOf(number)).toEqual([
      400,
      'illegal_argument_exception',
      'field [n] is not a string, cannot split',
    ])
  })

  it('does not hang on an expression that backtracks', async () => {
    await rest.call('PUT /odd', { mappings: { enabled: false } })
    await rest.call('PUT /odd/_doc/2?refresh=true', { k: `${'a'.repeat(5000)}!` })
    const started = performance.now()
    const found = await rest.call('GET /odd/_search', {
      ...only('2'),
      search_pipeline: { response_processors: [split({ separator: '(a|a)*$|(a+)+b' })] },
    })
    expect(performance.now() - started).toBeLessThan(5000)
    expect([200, 429]).toContain(found.status)
  })

  it.each([
    [{ field: null }, '[field] required property is missing'],
    [{ separator: null }, '[separator] required property is missing'],
    [
      { preserve_trailing: 1 },
      "[preserve_trailing] property isn't a boolean, but of type [java.lang.Integer]",
    ],
  ])('refuses %j', async (options, reason) => {
    expect(await refusal(split(options))).toEqual([400, 'parse_exception', reason])
  })

  it('refuses an expression that cannot be', async () => {
    const [status, type, reason] = await refusal(split({ separator: '(' }))
    expect([status, type]).toEqual([400, 'parse_exception'])
    expect(reason).toContain('[separator] Invalid regex pattern.')
  })
})

describe('ignore_failure', () => {
  it('goes on with the hits as they were', async () => {
    const failing = { rename_field: { field: 'none', target_field: 'a', ignore_failure: true } }
    const then = { truncate_hits: { target_size: 1 } }
    const { status, json } = await through([failing, then])
    expect([status, json.hits.hits.length]).toEqual([200, 1])
  })
})
