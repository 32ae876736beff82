import { describe, expect, it } from 'vitest'
import { ScriptFault } from '../../../../src/script/script-fault.ts'
import { ScriptRun } from '../../../../src/script/script-run.ts'
import { ScriptArray } from '../../../../src/script/value/script-array.ts'
import type { ScriptList, ScriptValue } from '../../../../src/script/value/script-value.ts'
import { EngineError } from '../../../../src/util/errors.ts'
import { Float64 } from '../../../../src/util/json/json-value.ts'
import { call, callStatic, classNamed, construct, lambda, methodOf } from './library-caller.ts'

type Value = Exclude<ScriptValue, null>

const stream = (...items: ScriptValue[]): Value => call(items, 'stream')!
const listOf = (of: ScriptValue): ScriptValue =>
  call(of!, 'collect', callStatic('Collectors', 'toList'))
const collect = (items: ScriptList, name: string, ...inputs: ScriptValue[]): ScriptValue =>
  call(call(items, 'stream')!, 'collect', callStatic('Collectors', name, ...inputs))
const isEven = lambda(value => Number(value) % 2 === 0)
const length = lambda(text => String(text).length)

describe('streams', () => {
  it('filter, map, sort and cut', () => {
    expect(listOf(call(stream(3, 1, 4, 2), 'filter', isEven))).toEqual([4, 2])
    expect(listOf(call(stream('a', 'bb'), 'map', length))).toEqual([1, 2])
    expect(listOf(call(stream(3, 1, 2), 'sorted'))).toEqual([1, 2, 3])
    expect(
      listOf(call(stream(3, 1, 2), 'sorted', callStatic('Comparator', 'reverseOrder'))),
    ).toEqual([3, 2, 1])
    expect(listOf(call(stream(1, new Float64(1), new Float64(1)), 'distinct'))).toEqual([
      1,
      new Float64(1),
    ])
    expect(listOf(call(call(stream(1, 2, 3, 4), 'skip', 1)!, 'limit', 2))).toEqual([2, 3])
    expect(
      listOf(
        call(
          stream([1, 2], [3]),
          'flatMap',
          lambda(list => call(list!, 'stream')),
        ),
      ),
    ).toEqual([1, 2, 3])
  })

  it('end in one value', () => {
    expect(call(stream(1, 2, 3), 'count')).toBe(3)
    expect(call(stream(1, 2), 'anyMatch', isEven)).toBe(true)
    expect(call(stream(1, 2), 'allMatch', isEven)).toBe(false)
    expect(call(stream(), 'noneMatch', isEven)).toBe(true)
    expect(call(call(stream(7, 8), 'findFirst')!, 'get')).toBe(7)
    expect(call(call(stream(), 'findFirst')!, 'isPresent')).toBe(false)
    const add = lambda((a, b) => Number(a) + Number(b))
    expect(call(stream(1, 2, 3), 'reduce', 10, add)).toBe(16)
    expect(
      call(call(stream(1, 2, 3), 'max', callStatic('Comparator', 'naturalOrder'))!, 'get'),
    ).toBe(3)
    expect((call(stream(1, 'a'), 'toArray') as ScriptArray).items).toEqual([1, 'a'])
  })

  it('serve one operation', () => {
    const used = stream(1)
    call(used, 'count')
    expect(() => call(used, 'count')).toThrow('stream has already been operated upon or closed')
  })

  it('count numbers', () => {
    const ints = callStatic('IntStream', 'range', 1, 5)!
    const statistics = call(ints, 'summaryStatistics')!
    expect(call(statistics, 'getSum')).toBe(10)
    expect(call(statistics, 'getAverage')).toBe(2.5)
    expect(call(statistics, 'getMax')).toBe(4)
    expect(call(callStatic('IntStream', 'rangeClosed', 1, 4)!, 'sum')).toBe(10)
    expect(call(call(stream('a', 'bb'), 'mapToInt', length)!, 'sum')).toBe(3)
    expect(
      call(call(call(stream('a', 'bb'), 'mapToDouble', length)!, 'average')!, 'getAsDouble'),
    ).toBe(1.5)
    expect(call(call(callStatic('IntStream', 'empty')!, 'max')!, 'isPresent')).toBe(false)
    expect(
      call(callStatic('IntStream', 'of', new ScriptArray('int', [2147483647, 1]))!, 'sum'),
    ).toBe(-2147483648)
    expect(listOf(call(call('hi', 'chars')!, 'boxed'))).toEqual([104, 105])
  })

  it('without an end are cut by the run', () => {
    const endless = callStatic(
      'Stream',
      'iterate',
      1,
      lambda(value => value ?? null),
    )!
    expect(listOf(call(endless, 'limit', 2))).toEqual([1, 1])
    const run = new ScriptRun({
      deadline: performance.now() + 20,
      maxBytes: 1 << 20,
      isCancelled: () => false,
    })
    const generate = classNamed('Stream').statics['generate/1']!
    const made = generate.call(run, null as never, ...([lambda(() => 1)] as never[])) as Value
    const count = methodOf(classNamed('Stream'), 'count/0')!
    expect(() => count.call(run, made as never)).toThrow(EngineError)
  })

  it('stop where their list changes', () => {
    const list: ScriptList = [1, 2]
    const grow = lambda(() => call(list, 'add', 1))
    expect(() => call(call(list, 'stream')!, 'forEach', grow)).toThrow(ScriptFault)
  })
})

describe('collectors', () => {
  it('gather lists, sets, maps and texts', () => {
    expect(collect(['a', 'b'], 'joining', ', ', '<', '>')).toBe('<a, b>')
    expect(collect([], 'joining', ',')).toBe('')
    expect(collect([1, 1], 'toSet')).toEqual(new Set([1]))
    expect(collect(['a', 'bb', 'c'], 'groupingBy', length)).toEqual(
      new Map([
        [1, ['a', 'c']],
        [2, ['bb']],
      ]),
    )
    expect(
      collect(['a', 'bb', 'c'], 'groupingBy', length, callStatic('Collectors', 'counting')),
    ).toEqual(
      new Map([
        [1, 2n],
        [2, 1n],
      ]),
    )
    const sorted = collect(
      ['bb', 'a'],
      'groupingBy',
      length,
      lambda(() => construct('TreeMap')),
      callStatic('Collectors', 'toList'),
    )
    expect([...(sorted as Map<ScriptValue, ScriptValue>)]).toEqual([
      [1, ['a']],
      [2, ['bb']],
    ])
    expect(collect([1, 2], 'partitioningBy', isEven)).toEqual(
      new Map([
        [false, [1]],
        [true, [2]],
      ]),
    )
    expect(
      collect(
        ['a', 'bb'],
        'toMap',
        lambda(x => x ?? null),
        length,
      ),
    ).toEqual(
      new Map([
        ['a', 1],
        ['bb', 2],
      ]),
    )
    expect(() =>
      collect(
        ['a', 'b'],
        'toMap',
        length,
        lambda(x => x ?? null),
      ),
    ).toThrow('Duplicate key 1 (attempted merging values a and b)')
    expect(
      collect(
        ['a', 'b'],
        'toMap',
        length,
        lambda(x => x ?? null),
        lambda((a, b) => `${a}${b}`),
      ),
    ).toEqual(new Map([[1, 'ab']]))
  })

  it('count numbers', () => {
    expect(collect(['a', 'bb'], 'summingInt', length)).toBe(3)
    expect(collect(['a', 'bb'], 'averagingDouble', length)).toBe(1.5)
    expect(collect(['a'], 'summingLong', length)).toBe(1n)
    expect(
      collect(
        [3, 1],
        'collectingAndThen',
        callStatic('Collectors', 'toList'),
        lambda(list => call(list!, 'size')),
      ),
    ).toBe(2)
    expect(
      collect(
        ['a', 'b'],
        'mapping',
        lambda(x => `${x}!`),
        callStatic('Collectors', 'joining'),
      ),
    ).toBe('a!b!')
    expect(call(collect([3, 1], 'minBy', callStatic('Comparator', 'naturalOrder'))!, 'get')).toBe(1)
  })
})
