import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest({ 'node.attr.rack': 'r1', 'cluster.name': 'mine' })
  await rest.call('PUT /alpha', { settings: { number_of_replicas: 0 } })
  await rest.call('PUT /beta', { settings: { number_of_shards: 2 } })
  for (let i = 0; i < 12; i++) await rest.call(`PUT /alpha/_doc/${i}`, { n: i })
  await rest.call('PUT /beta/_doc/1', { n: 1 })
  await rest.call('POST /_refresh')
  await rest.call('PUT /shut')
  await rest.call('POST /shut/_close')
})
afterAll(() => rest.close())

const text = async (line: string): Promise<string> => {
  const { status, text, headers } = await rest.call(line)
  expect([line, status, headers['content-type']]).toEqual([line, 200, 'text/plain; charset=UTF-8'])
  return text
}

describe('a table', () => {
  it('has a line for each row, its columns padded and parted by one blank', async () => {
    expect(await text('GET /_cat/indices/alpha,beta?h=index,pri,rep,docs.count&s=index')).toBe(
      'alpha 1 0 12\nbeta  2 1  1\n',
    )
  })

  it('begins with the names of its columns where v asks for them', async () => {
    expect(await text('GET /_cat/indices/alpha?v&h=i,docs.count,health')).toBe(
      'i     docs.count health\nalpha         12 green\n',
    )
  })

  it('is empty without rows, and has the header alone with v', async () => {
    expect(await text('GET /_cat/plugins')).toBe('')
    expect(await text('GET /_cat/plugins?v')).toBe('name component version\n')
  })

  it('shows columns in the order asked, by name, alias and pattern, and drops others', async () => {
    const table = await text('GET /_cat/indices/alpha?v&h=dc,odd,pri,cre*')
    expect(table.split('\n')[0]!.split(/ +/)).toEqual([
      'dc',
      'pri',
      'creation.date',
      'creation.date.string',
    ])
  })

  it('is sorted by keys, each up or down, by value and not by text', async () => {
    const names = async (s: string): Promise<string> =>
      (await text(`GET /_cat/indices?h=index&s=${s}`)).replaceAll('\n', ' ').trim()
    expect(await names('docs.count')).toBe('shut beta alpha')
    expect(await names('docs.count:desc')).toBe('alpha beta shut')
    expect(await names('rep:desc,index:desc')).toBe('shut beta alpha')
  })

  it('refuses an unknown sort key', async () => {
    const { status, json } = await rest.call('GET /_cat/indices?s=odd')
    expect([status, json.error.type, json.error.reason]).toEqual([
      500,
      'unsupported_operation_exception',
      'Unable to sort by unknown sort key `odd`',
    ])
  })

  it('explains its columns with help, and reads nothing', async () => {
    expect(await text('GET /_cat/count/missing?help')).toBe(
      'epoch     | t,time                  | seconds since 1970-01-01 00:00:00\n' +
        'timestamp | ts,hms,hhmmss           | time of day in UTC               \n' +
        'count     | dc,docs.count,docsCount | number of documents              \n',
    )
  })

  it('is a list of records with texts as values in JSON, by format or Accept', async () => {
    const wanted = [{ index: 'alpha', 'docs.count': '12' }]
    const line = 'GET /_cat/indices/alpha?h=index,docs.count'
    expect((await rest.call(`${line}&format=json`)).json).toEqual(wanted)
    const accepted = await rest.call(line, undefined, { accept: 'application/json' })
    expect([accepted.json, accepted.headers['content-type']]).toEqual([
      wanted,
      'application/json; charset=UTF-8',
    ])
    expect((await rest.call('GET /_cat/plugins?format=json')).json).toEqual([])
  })

  it('cuts sizes and times to whole units where one is asked for', async () => {
    const [store, bytes] = await Promise.all([
      text('GET /_cat/indices/alpha?h=store.size'),
      text('GET /_cat/indices/alpha?h=store.size&bytes=b'),
    ])
    expect(store).toMatch(/^[\d.]+(b|kb)\n$/)
    expect(bytes).toMatch(/^\d+\n$/)
    expect(await text('GET /_cat/nodes?h=uptime&time=d')).toBe('0\n')
  })

  it('keeps the units of values where one is asked for that there is not', async () => {
    const store = await text('GET /_cat/indices/alpha?h=store.size')
    expect(await text('GET /_cat/indices/alpha?h=store.size&bytes=7kb')).toBe(store)
    expect(await text('GET /_cat/health?h=status&time=5d&bytes=odd')).toBe('yellow\n')
    expect(await text('GET /_cat/thread_pool/search?h=name&size=1')).toBe('search\n')
  })

  it('refuses parameters that it does not take', async () => {
    const { status, json } = await rest.call('GET /_cat/indices?helth=green')
    expect([status, json.error.reason]).toEqual([
      400,
      'request [/_cat/indices] contains unrecognized parameter: [helth] -> did you mean any of [health, help]?',
    ])
  })
})

describe('the tables', () => {
  it('of copies that fetch segments have none on one node', async () => {
    expect(await text('GET /_cat/segment_replication/alpha?v')).toBe(
      'shardId target_node target_host checkpoints_behind bytes_behind current_lag last_completed_lag rejected_requests\n',
    )
    expect(await text('GET /_cat/segment_replication?v&detailed&h=st,f,frstt')).toBe('st f frstt\n')
    expect((await rest.call('GET /_cat/segment_replication/none')).status).toBe(404)
  })

  it('of indices show closed ones without counts, and those of one health', async () => {
    expect(await text('GET /_cat/indices?h=index,status,health,docs.count&s=index')).toBe(
      'alpha open  green  12\nbeta  open  yellow  1\nshut  close yellow   \n',
    )
    expect(await text('GET /_cat/indices?h=index&health=green')).toBe('alpha\n')
  })

  it('of shards show primaries with their node, and replicas without one', async () => {
    expect(
      await text('GET /_cat/shards/alpha,beta?h=index,shard,prirep,state,docs,node&s=index,shard'),
    ).toBe(
      'alpha 0 p STARTED    12 lamella-0\n' +
        `beta  0 p STARTED     ${await docsOf('0')} lamella-0\n` +
        'beta  0 r UNASSIGNED    \n' +
        `beta  1 p STARTED     ${await docsOf('1')} lamella-0\n` +
        'beta  1 r UNASSIGNED    \n',
    )
    expect(await text('GET /_cat/shards/beta?h=shard,ur,rs&s=shard')).toBe(
      '0                      \n0 INDEX_CREATED PEER\n1                      \n1 INDEX_CREATED PEER\n'.replaceAll(
        / {22}/g,
        '               ',
      ),
    )
  })

  const docsOf = async (shard: string): Promise<string> => {
    const { json } = await rest.call('GET /beta/_stats?level=shards')
    return String(json.indices.beta.shards[shard][0].docs.count)
  }

  it('of health and of documents begin with the time, unless ts=false', async () => {
    expect(await text('GET /_cat/health?ts=false&v')).toBe(
      'cluster status node.total node.data discovered_cluster_manager shards pri relo init unassign pending_tasks max_task_wait_time active_shards_percent\n' +
        'mine    yellow          1         1 true                            4   4    0    0        3             0                  -                 57.1%\n',
    )
    expect(await text('GET /_cat/health')).toMatch(/^\d{10} \d\d:\d\d:\d\d mine /)
    expect(await text('GET /_cat/count')).toMatch(/^\d{10} \d\d:\d\d:\d\d 13\n$/)
    expect(await text('GET /_cat/count/alpha?h=count')).toBe('12\n')
  })

  it('of the node show its name, roles and attributes', async () => {
    expect(await text('GET /_cat/nodes?h=node.role,cluster_manager,name')).toBe(
      'dimr * lamella-0\n',
    )
    expect(await text('GET /_cat/nodes?h=id')).toMatch(/^.{4}\n$/)
    expect(await text('GET /_cat/nodes?h=id&full_id')).toMatch(/^.{22}\n$/)
    expect(await text('GET /_cat/nodeattrs?h=node,attr,value')).toBe('lamella-0 rack r1\n')
    expect(await text('GET /_cat/cluster_manager?h=node')).toBe('lamella-0\n')
    expect(await text('GET /_cat/master?h=node')).toBe('lamella-0\n')
  })

  it('of pending changes and of aliases are empty here', async () => {
    expect(await text('GET /_cat/pending_tasks?v')).toBe(
      'insertOrder timeInQueue priority source\n',
    )
    expect(await text('GET /_cat/aliases')).toBe('')
    expect((await rest.call('GET /_cluster/pending_tasks')).json).toEqual({ tasks: [] })
  })

  it('are listed by their paths', async () => {
    const paths = await text('GET /_cat')
    expect(paths.split('\n').slice(0, 3)).toEqual([
      '=^.^=',
      '/_cat/aliases',
      '/_cat/aliases/{name}',
    ])
  })
})
