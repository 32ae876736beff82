import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('cat-shards')
let rest: Rest
beforeAll(async () => {
  rest = await openRest({}, folder)
  await rest.call('PUT /full', { settings: { number_of_replicas: 0 } })
  await rest.call('PUT /less', { settings: { number_of_shards: 2, number_of_replicas: 2 } })
  await rest.call('PUT /full/_doc/1?refresh', { t: 'a' })
  await rest.call('PUT /full/_doc/2?refresh', { t: 'b' })
  await rest.call('POST /full/_flush')
  await rest.call('POST /full/_search', { query: { match: { t: 'a' } } })
  await rest.call('PUT /shut')
  await rest.call('POST /shut/_close')
})
afterAll(() => rest.close())

const text = async (line: string): Promise<string> => {
  const { status, text } = await rest.call(line)
  expect([line, status]).toEqual([line, 200])
  return text
}

/** The names of the columns that `help` lists. */
const columns = async (table: string): Promise<string[]> =>
  (await text(`GET /_cat/${table}?help`))
    .trimEnd()
    .split('\n')
    .map(line => line.split(' |')[0]!.trim())

describe('the table of', () => {
  it('allocation shows shards and disk of the node, and shards without a node', async () => {
    const lines = (await text('GET /_cat/allocation?v')).split('\n')
    expect(lines[0]!.trim().split(/ +/)).toEqual([
      'shards',
      'disk.indices',
      'disk.used',
      'disk.avail',
      'disk.total',
      'disk.percent',
      'host',
      'ip',
      'node',
    ])
    expect(lines[1]).toMatch(
      /^ +4 +[\d.]+k?b +[\d.]+[mgt]b +[\d.]+[mgt]b +[\d.]+[mgt]b +\d+ 127\.0\.0\.1 127\.0\.0\.1 lamella-0$/,
    )
    expect(lines[2]).toMatch(/^ +5 +UNASSIGNED$/)
    expect(await text('GET /_cat/allocation?h=s,n')).toBe('4 lamella-0\n5 UNASSIGNED\n')
    expect(await text('GET /_cat/allocation/nobody?h=s,n')).toBe('5 UNASSIGNED\n')
    expect(await text('GET /_cat/allocation/_local?h=disk.total&bytes=pb')).toMatch(/^0\n *\n$/)
  })

  it('field data is empty without sorts by text', async () => {
    expect(await columns('fielddata')).toEqual(['id', 'host', 'ip', 'node', 'field', 'size'])
    expect(await text('GET /_cat/fielddata/a?fields=b')).toBe('')
  })

  it('recovery shows how shards were opened', async () => {
    const shown = 'i,s,ty,st,shost,thost,rep,f,fr,fp,tf,b,to,tor,top'
    expect(await text(`GET /_cat/recovery/full,shut?h=${shown}`)).toBe(
      'full 0 empty_store    done n/a 127.0.0.1 n/a 0 0 0.0% 0 0b 0 0 100.0%\n' +
        'shut 0 existing_store done n/a 127.0.0.1 n/a 0 0 0.0% 0 0b 0 0 100.0%\n',
    )
    expect(await text('GET /_cat/recovery?index=full&h=t,start_time')).toMatch(
      /^(\d+ms|\d+(\.\d+)?s) \d{4}-\d\d-\d\dT[\d:.]+Z\n$/,
    )
    expect(await text('GET /_cat/recovery?active_only')).toBe('')
    expect(await columns('recovery')).toEqual([
      'index',
      'shard',
      'start_time',
      'stop_time',
      'time',
      'type',
      'stage',
      'source_host',
      'source_node',
      'target_host',
      'target_node',
      'repository',
      'snapshot',
      'files',
      'files_recovered',
      'files_percent',
      'files_total',
      'bytes',
      'bytes_recovered',
      'bytes_percent',
      'bytes_total',
      'translog_ops',
      'translog_ops_recovered',
      'translog_ops_percent',
    ])
  })

  it('segments shows them one by one', async () => {
    const lines = (await text('GET /_cat/segments')).trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(
      /^full 0 p 127\.0\.0\.1 _0 0 1 0 [\d.]+k?b +\d+ true true 10\.4\.0 true$/,
    )
    expect(await text('GET /_cat/segments/full?h=seg,g,dc,docsDeleted,ic,searchable')).toBe(
      '_0 0 1 0 true true\n_1 1 1 0 true true\n',
    )
    expect(await text('GET /_cat/segments/full?h=id&s=seg:desc')).toMatch(/^(.{22}\n){2}$/)
    const { status, json } = await rest.call('GET /_cat/segments/shut')
    expect([status, json.error.type]).toEqual([400, 'index_closed_exception'])
  })

  it('thread pools shows all pools of the real server, and real counts of those there are', async () => {
    const names = (await text('GET /_cat/thread_pool?h=name')).trimEnd().split('\n')
    expect(names).toEqual([...names].sort())
    for (const name of ['flush', 'force_merge', 'generic', 'index_searcher', 'search', 'write'])
      expect(names.map(one => one.trim())).toContain(name)
    expect(await text('GET /_cat/thread_pool/write,gen*?v&h=n,t,cr,mx,ka,qs,twt')).toBe(
      'n       t       cr  mx  ka qs twt\n' +
        'generic scaling  4 128 30s -1  -1\n' +
        'write   fixed              -1  -1\n',
    )
    expect(await text('GET /_cat/thread_pool/write?size=&h=a,q,r')).toBe('0 0 0\n')
    const completed = Number(await text('GET /_cat/thread_pool/write?h=completed'))
    expect(completed).toBeGreaterThan(0)
    await rest.call('PUT /less/_doc/1', { t: 'a' })
    expect(Number(await text('GET /_cat/thread_pool/write?h=c'))).toBeGreaterThan(completed)
    expect(await text('GET /_cat/thread_pool/search?h=twt')).toMatch(/^\d+(\.\d)?(ms|s)\n$/)
    expect(await text('GET /_cat/thread_pool/write?size=x&h=a,q,r')).toBe('0 0 0\n')
  })

  it('nodes shows disk and file descriptors', async () => {
    const [used = '', free = '', total = ''] = (
      await text('GET /_cat/nodes?h=diskUsed,diskAvail,dt&bytes=b')
    )
      .trim()
      .split(/ +/)
    expect(Number(used) + Number(free)).toBe(Number(total))
    expect(await text('GET /_cat/nodes?h=disk.used_percent')).toMatch(/^\d{1,3}\.\d\d\n$/)
    const [current = '', percent = '', max = ''] = (
      await text('GET /_cat/nodes?h=file_desc.current,fdp,fileDescriptorMax')
    )
      .trim()
      .split(/ +/)
    expect(Number(current)).toBeGreaterThan(0)
    expect(Number(percent)).toBe(Math.floor((100 * Number(current)) / Number(max)))
  })

  it('shards and indices show the same counts', async () => {
    const shown = 'sfto,sqto,sqf,scqto,casc,sc,iito,ft,svmm'
    expect(await text(`GET /_cat/shards/full?h=${shown}`)).toMatch(/^1 1 0 1 \d\.0 2 2 1 +\d+b\n$/)
    expect(await text(`GET /_cat/indices/full?h=${shown}`)).toMatch(/^1 1 0 1 \d\.0 2 2 1 +\d+b\n$/)
    const help = await columns('shards')
    expect(help.slice(-7)).toEqual([
      'seq_no.global_checkpoint',
      'warmer.current',
      'warmer.total',
      'warmer.total_time',
      'path.data',
      'path.state',
      'docs.deleted',
    ])
    expect(help.filter(name => name.startsWith('merges.warmer.'))).toHaveLength(8)
    expect(help.filter(name => name.startsWith('search.startree_query_'))).toHaveLength(4)
    expect(help).not.toContain('request_cache.hit_count')
    expect(await columns('indices')).toContain('request_cache.hit_count')
  })

  it('shards shows those of closed indices as they were committed', async () => {
    expect(await text('GET /_cat/shards/shut?h=i,p,st,d,n')).toBe(
      'shut p STARTED    0 lamella-0\nshut r UNASSIGNED   \n',
    )
  })
})
