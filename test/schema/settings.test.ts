import { describe, expect, it } from 'vitest'
import {
  changeClusterSettings,
  checkIndexChanges,
  indexSettings,
  settingsOfNewIndex,
  settingsOfNode,
} from '../../src/schema/setting-registry.ts'
import { flattenSettings, type SettingChanges, Settings } from '../../src/schema/settings.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { writeJson } from '../../src/util/json/json-writer.ts'

const flatten = (text: string, prefix = 'index.'): SettingChanges =>
  flattenSettings(parseJsonTree(encodeUtf8(text)), prefix)
const create = (text: string): Settings => settingsOfNewIndex(flatten(text))
const printed = (settings: Settings, isFlat = false): string =>
  decodeUtf8(writeJson(settings.toJson(isFlat)))

describe('settings in their forms', () => {
  it('reads nested, dotted and prefixed keys as the same', () => {
    for (const text of [
      '{"index":{"number_of_shards":2}}',
      '{"number_of_shards":"2"}',
      '{"index.number_of_shards":2}',
      '{"index":{"number_of_shards":"2"}}',
    ]) {
      expect(printed(create(text))).toBe('{"index":{"number_of_shards":"2"}}')
    }
  })

  it('prints strings, flat or nested, lists as arrays', () => {
    const settings = create('{"hidden":true,"query.default_field":["a","b"],"priority":3}')
    expect(printed(settings)).toBe(
      '{"index":{"hidden":"true","priority":"3","query":{"default_field":["a","b"]}}}',
    )
    expect(printed(settings, true)).toBe(
      '{"index.hidden":"true","index.priority":"3","index.query.default_field":["a","b"]}',
    )
  })

  it('dots the name of an object below a key that has a value', () => {
    const settings = new Settings([
      ['a.b', '1'],
      ['a.b.c.d', '2'],
      ['a.b.c.e', '3'],
      ['a.b.f', '4'],
    ])
    expect(printed(settings)).toBe('{"a":{"b":"1","b.c":{"d":"2","e":"3"},"b.f":"4"}}')
  })

  it('refuses a key that is given twice and a body that is no object', () => {
    expect(() => flatten('{"index":{"hidden":true},"hidden":false}')).toThrow(
      'duplicate settings key [index.hidden] found at line number [1], column number [26], previous value [true], current value [false]',
    )
    expect(() => flatten('[]')).toThrow('instead was [START_ARRAY]')
    expect(() => flatten('{"a":[{}]}')).toThrow('only value lists are allowed')
  })

  it('keeps keys that name parts of every object as plain keys', () => {
    const settings = new Settings([
      ['__proto__.x', '1'],
      ['constructor', '2'],
    ])
    expect(printed(settings)).toBe('{"__proto__":{"x":"1"},"constructor":"2"}')
  })

  it('goes back to the default on null, for a pattern on all that it matches', () => {
    const settings = create('{"priority":3,"max_ngram_diff":4,"max_shingle_diff":5}')
    const changed = settings.with(flatten('{"index.max_*":null,"priority":null,"hidden":true}'))
    expect(printed(changed, true)).toBe('{"index.hidden":"true"}')
    expect(indexSettings.number(changed, 'index.max_ngram_diff')).toBe(1)
  })
})

describe('index settings', () => {
  it('reads what holds, its default included', () => {
    const settings = create('{"refresh_interval":"-1","max_result_window":20}')
    expect(indexSettings.nanos(settings, 'index.refresh_interval')).toBe(-1)
    expect(indexSettings.nanos(settings, 'index.gc_deletes')).toBe(60e9)
    expect(indexSettings.number(settings, 'index.max_rescore_window')).toBe(20)
    expect(indexSettings.bytes(settings, 'index.translog.flush_threshold_size')).toBe(2 ** 29)
    expect(indexSettings.boolean(settings, 'index.hidden')).toBe(false)
    expect(indexSettings.list(settings, 'index.query.default_field')).toEqual(['*'])
    expect(indexSettings.value(settings, 'index.search.concurrent_segment_search.mode')).toBe(null)
  })

  it('knows settings that change nothing here', () => {
    const settings = create('{"derived_source.translog.enabled":true,"mapper.dynamic":false}')
    expect(printed(settings, true)).toBe(
      '{"index.derived_source.translog.enabled":"true","index.mapper.dynamic":"false"}',
    )
  })

  it.each([
    [
      '{"number_of_shard":1}',
      'unknown setting [index.number_of_shard] did you mean [index.number_of_shards]?',
    ],
    [
      '{"zzz":1}',
      'unknown setting [index.zzz] please check that any required plugins are installed, or check the breaking changes documentation for removed settings',
    ],
    [
      '{"mapping.depth.limit":1001}',
      "The provided value 1001 of the index setting 'index.mapping.depth.limit' exceeds per-JVM configured limit of 1000. Please change the setting value or increase per-JVM limit using 'opensearch.xcontent.depth.max' system property.",
    ],
    [
      '{"mapping.field_name_length.limit":50001}',
      "The provided value 50001 of the index setting 'index.mapping.field_name_length.limit' exceeds per-JVM configured limit of 50000. Please change the setting value or increase per-JVM limit using 'opensearch.xcontent.name.length.max' system property.",
    ],
    [
      '{"number_of_shards":0}',
      'Failed to parse value [0] for setting [index.number_of_shards] must be >= 1',
    ],
    [
      '{"number_of_shards":1025}',
      'Failed to parse value [1025] for setting [index.number_of_shards] must be <= 1024',
    ],
    ['{"number_of_shards":"x"}', 'Failed to parse value [x] for setting [index.number_of_shards]'],
    ['{"hidden":"yes"}', 'Failed to parse value [yes] as only [true] or [false] are allowed.'],
    [
      '{"refresh_interval":"5"}',
      'failed to parse setting [index.refresh_interval] with value [5] as a time value: unit is missing or unrecognized',
    ],
    [
      '{"translog.sync_interval":"1ms"}',
      'failed to parse value [1ms] for setting [index.translog.sync_interval], must be >= [100ms]',
    ],
    [
      '{"search.concurrent_segment_search.mode":"some"}',
      'Setting value must be one of [all, none, auto]',
    ],
    ['{"uuid":"x"}', 'private index setting [index.uuid] can not be set explicitly'],
    [
      '{"soft_deletes.enabled":false}',
      'Creating indices with soft-deletes disabled is no longer supported.',
    ],
    [
      '{"number_of_routing_shards":5,"number_of_shards":2}',
      'the number of source shards [2] must be a factor of [5]',
    ],
    [
      '{"sort.field":["a","b"],"sort.order":"asc"}',
      'index.sort.field:[a, b] index.sort.order:[asc], size mismatch',
    ],
    ['{"sort.field":"a","sort.order":"up"}', 'Illegal sort order:up'],
    ['{"sort.field":"a","sort.mode":"avg"}', 'Illegal sort mode: avg'],
    [
      '{"sort.field":"a","sort.missing":"_middle"}',
      'Illegal missing value:[_middle], must be one of [_last, _first]',
    ],
    ['{"priority":["1"]}', 'Found list type value for setting [index.priority]'],
    [
      '{"shard.check_on_startup":"maybe"}',
      'unknown value for [index.shard.check_on_startup] must be one of [true, false, checksum] but was: maybe',
    ],
  ])('refuses %s', (text, reason) => {
    expect(() => create(text)).toThrow(reason)
  })

  it('tells several faults of one body together', () => {
    expect(() => create('{"zzz":1,"number_of_shards":0}')).toThrow(
      /^Validation Failed: 1: unknown setting \[index\.zzz\].*;2: Failed to parse value \[0\].*;$/,
    )
  })

  it('takes analysis and similarity settings of any name', () => {
    const settings = create(
      '{"analysis":{"analyzer":{"my":{"type":"custom","filter":["lowercase"]}}}}',
    )
    expect(settings.get('index.analysis.analyzer.my.filter')).toEqual(['lowercase'])
  })

  it('takes what other stores of vectors do with them', () => {
    const text =
      '{"knn":true,"knn.memory_optimized_search":true,"knn.derived_source.enabled":false,' +
      '"knn.advanced.filtered_exact_search_threshold":500}'
    expect(create(text).get('index.knn.memory_optimized_search')).toBe('true')
  })

  it('keeps the names of index state management as one setting', () => {
    for (const key of [
      'index_state_management.rollover_skip',
      'index.plugins.index_state_management.rollover_skip',
      'opendistro.index_state_management.rollover_skip',
    ]) {
      const settings = create(`{"${key}":true}`)
      expect(settings.get('index.plugins.index_state_management.rollover_skip')).toBe('true')
    }
  })

  it('lets static settings change only while every target is closed, final ones never', () => {
    const open = { name: 'books', uuid: 'u1', isOpen: true }
    const closed = { name: 'old', uuid: 'u2', isOpen: false }
    expect(() => checkIndexChanges(flatten('{"codec":"lz4"}'), [open, closed])).toThrow(
      "Can't update non dynamic settings [[index.codec]] for open indices [[books/u1]]",
    )
    expect(checkIndexChanges(flatten('{"codec":"lz4"}'), [closed]).get('index.codec')).toBe('lz4')
    expect(() => checkIndexChanges(flatten('{"number_of_shards":2}'), [closed])).toThrow(
      'final old setting [index.number_of_shards], not updateable',
    )
    expect(() => checkIndexChanges(new Map(), [open])).toThrow('no settings to update')
  })
})

describe('cluster settings', () => {
  const change = (text: string, current = Settings.EMPTY): Settings =>
    changeClusterSettings('transient', current, flatten(text, ''))

  it('knows those of parallel search', () => {
    const settings = change('{"search":{"concurrent":{"max_slice_count":4}}}')
    expect(settings.get('search.concurrent.max_slice_count')).toBe('4')
    expect(() => change('{"search.concurrent.max_slice_count":-1}')).toThrow('must be >= 0')
  })

  it('knows those of copies and of vectors, which change nothing here', () => {
    const text =
      '{"cluster.routing.use_adaptive_replica_selection":false,' +
      '"knn.memory.circuit_breaker":{"limit":"60%","limit.a":"1gb"},' +
      '"knn.algo_param.index_thread_qty":4,"knn.cache.item.expiry.minutes":"10m"}'
    expect(change(text).size).toBe(5)
    expect(() => change('{"knn.algo_param.index_thread_qty":33}')).toThrow('must be <= 32')
  })

  it.each([
    ['{"no.such":1}', 'transient setting [no.such], not recognized'],
    ['{"cluster.name":"x"}', 'transient setting [cluster.name], not dynamically updateable'],
    ['{"cluster.routing.allocation.total_shards_per_node":0}', 'must be >= 1'],
    [
      '{"cluster.routing.allocation.disk.watermark.low":"95%"}',
      'low disk watermark [95%] more than high disk watermark [90%]',
    ],
    [
      '{"cluster.routing.allocation.disk.watermark":{"low":"10gb","high":"90%","flood_stage":"5gb"}}',
      'unable to consistently parse [cluster.routing.allocation.disk.watermark.low=10gb]',
    ],
    [
      '{"cluster.routing.allocation.disk.watermark":{"low":"10gb","high":"20gb","flood_stage":"5gb"}}',
      'low disk watermark [10gb] more than high disk watermark [20gb]',
    ],
    ['{"script.max_compilations_rate":"10/1s"}', 'must be >= [1m]'],
    ['{"search_backpressure.mode":"enforced"}', '[search_backpressure.mode: enforced] is not'],
    ['{"segrep.pressure.enabled":"perhaps"}', 'as only [true] or [false] are allowed'],
  ])('refuses %s', (text, reason) => {
    expect(() => change(text)).toThrow(reason)
  })

  it('takes those of several nodes', () => {
    const settings = change(
      '{"search_backpressure":{"mode":"disabled"},"cluster":{"auto_shrink_voting_configuration":true,' +
        '"routing.allocation":{"load_awareness.flat_skew":3,"shard_movement_strategy":"PRIMARY_FIRST"}}}',
    )
    expect(settings.size).toBe(4)
  })

  it('takes watermarks of one kind, and back again', () => {
    const settings = change(
      '{"cluster.routing.allocation.disk.watermark":{"low":"10gb","high":"5gb","flood_stage":"1gb"}}',
    )
    expect(change('{"cluster.routing.*":null}', settings).size).toBe(0)
  })
})

describe('node settings', () => {
  it('refuses an unknown one with a suggestion', () => {
    expect(() => settingsOfNode(new Map([['http.prot', '1']]))).toThrow(
      'unknown setting [http.prot] did you mean [http.port]?',
    )
    expect(settingsOfNode(new Map([['node.attr.rack', 'r1']])).get('node.attr.rack')).toBe('r1')
  })
})
