import { describe, expect, it } from 'vitest'
import { MapEntry } from '../../../../src/script/value/map-entry.ts'
import type {
  ScriptList,
  ScriptMap,
  ScriptSet,
  ScriptValue,
} from '../../../../src/script/value/script-value.ts'
import { UnmodifiableMap, unmodifiableList } from '../../../../src/script/value/unmodifiable.ts'
import { textOfValue } from '../../../../src/script/value/value-text.ts'
import { Float64 } from '../../../../src/util/json/json-value.ts'
import { call, callStatic, construct, freeRun, lambda } from './library-caller.ts'

describe('a list', () => {
  it('is read and changed by index', () => {
    const list: ScriptList = [1, 2, 3]
    expect(call(list, 'remove', 0)).toBe(1)
    call(list, 'add', 1, 'x')
    expect(call(list, 'set', 0, 'y')).toBe(2)
    expect(list).toEqual(['y', 'x', 3])
    expect(call(list, 'getLength')).toBe(3)
    expect(call(list, 'addAll', 1, [4, 5])).toBe(true)
    expect(list).toEqual(['y', 4, 5, 'x', 3])
    expect(call(list, 'subList', 1, 3)).toEqual([4, 5])
  })

  it('names indices outside', () => {
    expect(() => call([1, 2, 3], 'get', 5)).toThrow('Index 5 out of bounds for length 3')
    expect(() => call([1], 'remove', -1)).toThrow('Index -1 out of bounds for length 1')
    expect(() => call([1], 'add', 2, 0)).toThrow('Index: 2, Size: 1')
    expect(() => call([1], 'subList', 0, 2)).toThrow('toIndex = 2')
    expect(() => call([1], 'subList', 1, 0)).toThrow('fromIndex(1) > toIndex(0)')
  })

  it("finds elements by Java's equality", () => {
    const list: ScriptList = [1, new Float64(1), [new Float64(2)], 1n]
    expect(call(list, 'indexOf', new Float64(1))).toBe(1)
    expect(call(list, 'indexOf', [new Float64(2)])).toBe(2)
    expect(call(list, 'lastIndexOf', 1n)).toBe(3)
    expect(call(list, 'contains', new Float64(2))).toBe(false)
    expect(call([1, 2], 'equals', [1, 2])).toBe(true)
    expect(call([1, 2], 'hashCode')).toBe(994)
    expect(call(['a', null], 'hashCode')).toBe((31 + 97) * 31)
  })

  it('sorts in natural order, or by a comparator', () => {
    const list: ScriptList = ['b', 'C', 'a']
    call(list, 'sort', null)
    expect(list).toEqual(['C', 'a', 'b'])
    call(list, 'sort', callStatic('Comparator', 'reverseOrder'))
    expect(list).toEqual(['b', 'a', 'C'])
    call(
      list,
      'sort',
      callStatic(
        'Comparator',
        'comparing',
        lambda(text => String(text).toLowerCase()),
      ),
    )
    expect(list).toEqual(['a', 'b', 'C'])
    expect(() => call([1, 'a'], 'sort', null)).toThrow('cannot be cast to class')
  })

  it('is walked over both ways', () => {
    const list: ScriptList = ['a', 'b', 'c']
    const items = call(list, 'listIterator', 3)!
    expect(call(items, 'previous')).toBe('c')
    call(items, 'remove')
    expect(call(items, 'hasNext')).toBe(false)
    call(items, 'add', 'd')
    expect(list).toEqual(['a', 'b', 'd'])
    expect(() => call(items, 'next')).toThrow('the iterator is at its end')
    expect(() => call(items, 'remove')).toThrow('no element was given since the last change')
  })

  it('refuses to change while it is walked over', () => {
    const list: ScriptList = [1, 2]
    expect(() =>
      call(
        list,
        'each',
        lambda(() => call(list, 'add', 3)),
      ),
    ).toThrow('the collection changed while it was walked over')
  })

  it('has the additions out of Groovy', () => {
    const list: ScriptList = [1, 2, 3, 4]
    const isEven = lambda(value => Number(value) % 2 === 0)
    expect(call(list, 'any', isEven)).toBe(true)
    expect(call(list, 'every', isEven)).toBe(false)
    expect(call(list, 'count', isEven)).toBe(2)
    expect(
      call(
        list,
        'collect',
        lambda(value => Number(value) * 10),
      ),
    ).toEqual([10, 20, 30, 40])
    expect(call(list, 'find', isEven)).toBe(2)
    expect(call(list, 'findAll', isEven)).toEqual([2, 4])
    expect(
      call(
        list,
        'findResult',
        'none',
        lambda(() => null),
      ),
    ).toBe('none')
    expect(
      call(
        list,
        'findResults',
        lambda(value => (Number(value) > 2 ? value! : null)),
      ),
    ).toEqual([3, 4])
    expect(call(list, 'split', isEven)).toEqual([
      [2, 4],
      [1, 3],
    ])
    expect(call(list, 'sum')).toBe(10)
    expect(
      call(
        list,
        'sum',
        lambda(value => Number(value) / 2),
      ),
    ).toBe(5)
    expect(call(list, 'join', '-')).toBe('1-2-3-4')
    expect(call(list, 'groupBy', isEven)).toEqual(
      new Map([
        [false, [1, 3]],
        [true, [2, 4]],
      ]),
    )
    const seen: ScriptValue[] = []
    call(
      ['a', 'b'],
      'eachWithIndex',
      lambda((item, index) => seen.push(item ?? null, index ?? null)),
    )
    expect(seen).toEqual(['a', 0, 'b', 1])
    expect(call([new Map([['a', [7]]])], 'getByPath', '0.a.0')).toBe(7)
    expect(call(list, 'getByPath', '9', 'none')).toBe('none')
  })

  it('stays whole where a predicate of removeIf throws', () => {
    const list: ScriptList = [1, 2, 3]
    const failing = lambda(value => {
      if (value === 3) throw new Error('stop')
      return true
    })
    expect(() => call(list, 'removeIf', failing)).toThrow('stop')
    expect(list).toEqual([1, 2, 3])
    expect(
      call(
        list,
        'removeIf',
        lambda(value => value === 2),
      ),
    ).toBe(true)
    expect(list).toEqual([1, 3])
  })

  it('refuses changes when it is unmodifiable', () => {
    const list = unmodifiableList([1, 2])
    for (const change of [
      ['add', 3],
      ['remove', 0],
      ['set', 0, 1],
      ['clear'],
      ['sort', null],
    ] as const)
      expect(() => call(list, ...(change as [string]))).toThrow('the list is unmodifiable')
  })
})

describe('a map', () => {
  it("finds keys by Java's equality", () => {
    const map: ScriptMap = new Map()
    call(map, 'put', new Float64(1), 'double')
    call(map, 'put', 1, 'int')
    call(map, 'put', 1n, 'long')
    call(map, 'put', [1, [new Float64(2)]], 'list')
    expect(map.size).toBe(4)
    expect(call(map, 'get', new Float64(1))).toBe('double')
    expect(call(map, 'get', 1)).toBe('int')
    expect(call(map, 'get', 1n)).toBe('long')
    expect(call(map, 'get', [1, [new Float64(2)]])).toBe('list')
    expect(call(map, 'put', new Float64(1), 'again')).toBe('double')
    expect(map.size).toBe(4)
    expect(call(map, 'remove', [1, [new Float64(2)]])).toBe('list')
    expect(call(map, 'containsKey', [1, [new Float64(2)]])).toBe(false)
    expect(call(map, 'get', '__proto__')).toBeNull()
  })

  it('computes and merges', () => {
    const map: ScriptMap = new Map([['a', 1]])
    const add = lambda((a, b) => Number(a) + Number(b))
    expect(call(map, 'merge', 'a', 5, add)).toBe(6)
    expect(call(map, 'merge', 'b', 5, add)).toBe(5)
    expect(
      call(
        map,
        'computeIfAbsent',
        'c',
        lambda(() => []),
      ),
    ).toEqual([])
    expect(
      call(
        map,
        'computeIfPresent',
        'c',
        lambda(() => null),
      ),
    ).toBeNull()
    expect(call(map, 'getOrDefault', 'c', 0)).toBe(0)
    expect(call(map, 'putIfAbsent', 'b', 9)).toBe(5)
    expect(call(map, 'replace', 'x', 9)).toBeNull()
    expect(call(map, 'replace', 'b', 5, 7)).toBe(true)
    expect(call(map, 'remove', 'b', 5)).toBe(false)
    expect(map).toEqual(
      new Map([
        ['a', 6],
        ['b', 7],
      ]),
    )
    expect(
      call(
        map,
        'equals',
        new Map([
          ['b', 7],
          ['a', 6],
        ]),
      ),
    ).toBe(true)
  })

  it('changes through its views', () => {
    const map: ScriptMap = new Map<ScriptValue, ScriptValue>([
      ['a', 1],
      ['b', null],
      ['c', 1],
    ])
    expect(
      call(
        call(map, 'values')!,
        'removeIf',
        lambda(value => value === null),
      ),
    ).toBe(true)
    expect([...map.keys()]).toEqual(['a', 'c'])
    call(call(map, 'keySet')!, 'remove', 'a')
    expect([...map.keys()]).toEqual(['c'])
    for (const entry of call(map, 'entrySet') as ScriptSet) call(entry!, 'setValue', 2)
    expect(map.get('c')).toBe(2)
    const items = call(call(map, 'values')!, 'iterator')!
    call(items, 'next')
    call(items, 'remove')
    expect(map.size).toBe(0)
    expect(() => call(call(map, 'keySet')!, 'add', 'x')).toThrow(
      'keys of a map are added with their values',
    )
  })

  it('has the additions out of Groovy', () => {
    const map: ScriptMap = new Map([
      ['a', 1],
      ['b', 2],
    ])
    const isTwo = lambda((_key, value) => value === 2)
    expect(
      call(
        map,
        'collect',
        lambda((key, value) => `${String(key)}${String(value)}`),
      ),
    ).toEqual(['a1', 'b2'])
    expect((call(map, 'find', isTwo) as MapEntry).key).toBe('b')
    expect(call(map, 'findAll', isTwo)).toEqual(new Map([['b', 2]]))
    expect(call(map, 'count', isTwo)).toBe(1)
    expect(call(map, 'every', isTwo)).toBe(false)
    expect(
      call(
        map,
        'groupBy',
        lambda((_key, value) => value ?? null),
      ),
    ).toEqual(
      new Map([
        [1, new Map([['a', 1]])],
        [2, new Map([['b', 2]])],
      ]),
    )
    expect(() => call(map, 'getByPath', 'a.b')).toThrow(
      'Non-container at [b], index [1] in path [a.b]',
    )
    expect(() => call(map, 'getByPath', '')).toThrow('Missing path')
  })

  it('refuses changes when it is unmodifiable, also through its views', () => {
    const map = new UnmodifiableMap(new Map([['a', 1]]))
    expect(call(map, 'get', 'a')).toBe(1)
    expect(() => call(map, 'put', 'b', 1)).toThrow('the map is unmodifiable')
    expect(() => call(call(map, 'keySet')!, 'remove', 'a')).toThrow('the map is unmodifiable')
    expect(() => call(call(map, 'values')!, 'clear')).toThrow('the map is unmodifiable')
  })
})

describe('a set', () => {
  it("holds equal elements once, by Java's equality", () => {
    const set = construct('HashSet', [new Float64(1), new Float64(1), 1, [2], [2]]) as ScriptSet
    expect(set.size).toBe(3)
    expect(call(set, 'add', [2])).toBe(false)
    expect(call(set, 'remove', [2])).toBe(true)
    expect(call(set, 'contains', [2])).toBe(false)
    expect(call(set, 'retainAll', [1])).toBe(true)
    expect([...set]).toEqual([1])
    expect(call(set, 'equals', new Set([1]))).toBe(true)
  })
})

describe('the text of a value', () => {
  it("is that of Java's toString", () => {
    const run = freeRun()
    const map: ScriptMap = new Map<ScriptValue, ScriptValue>([
      ['a', [1, new Float64(1), null]],
      ['b', 1n],
    ])
    map.set('self', map)
    expect(textOfValue(map, run)).toBe('{a=[1, 1.0, null], b=1, self=(this Map)}')
    expect(textOfValue(new Set(['x']), run)).toBe('[x]')
    expect(textOfValue(new MapEntry('k', [1], null), run)).toBe('k=[1]')
  })

  it('fails where values nest without end', () => {
    const a: ScriptList = []
    const b: ScriptList = [a]
    a.push(b)
    expect(() => textOfValue(a, freeRun())).toThrow('nested too deep')
    expect(() => call(a, 'hashCode')).toThrow('nested too deep')
  })
})

describe('a sorted map or set', () => {
  it('keeps its order and finds neighbours', () => {
    const map = construct('TreeMap') as ScriptMap
    for (const key of [5, 1, 3]) call(map, 'put', key, `v${key}`)
    expect(textOfValue(map, freeRun())).toBe('{1=v1, 3=v3, 5=v5}')
    expect(call(map, 'firstKey')).toBe(1)
    expect(call(map, 'floorKey', 4)).toBe(3)
    expect(call(map, 'lowerKey', 1)).toBeNull()
    expect(call(map, 'ceilingKey', 4)).toBe(5)
    expect(call(map, 'higherKey', 5)).toBeNull()
    expect([...(call(map, 'headMap', 3) as ScriptMap).keys()]).toEqual([1])
    expect([...(call(map, 'headMap', 3, true) as ScriptMap).keys()]).toEqual([1, 3])
    expect([...(call(map, 'tailMap', 3) as ScriptMap).keys()]).toEqual([3, 5])
    expect([...(call(map, 'descendingMap') as ScriptMap).keys()]).toEqual([5, 3, 1])
    expect((call(map, 'pollLastEntry') as MapEntry).value).toBe('v5')
    expect(
      call(
        call(map, 'keySet')!,
        'removeIf',
        lambda(key => key === 1),
      ),
    ).toBe(true)
    expect([...map]).toEqual([[3, 'v3']])
    expect(() => call(map, 'put', 'a', 1)).toThrow('cannot be cast to class')
    expect(() => call(construct('TreeMap'), 'put', null, 1)).toThrow('a null has no order')
    const set = construct('TreeSet', callStatic('Comparator', 'reverseOrder')) as ScriptSet
    call(set, 'addAll', ['a', 'c', 'b', 'a'])
    expect([...set]).toEqual(['c', 'b', 'a'])
    expect(call(set, 'first')).toBe('c')
    expect(call(set, 'higher', 'b')).toBe('a')
  })
})

describe('lists with two ends', () => {
  it('are queues, deques and stacks', () => {
    const deque = construct('LinkedList', [1, 2])
    call(deque, 'addFirst', 0)
    call(deque, 'offer', 3)
    expect(call(deque, 'peekFirst')).toBe(0)
    expect(call(deque, 'pollLast')).toBe(3)
    expect(call(deque, 'remove')).toBe(0)
    expect(call(deque, 'removeLastOccurrence', 2)).toBe(true)
    expect(textOfValue(deque, freeRun())).toBe('[1]')
    expect(call(deque, 'pop')).toBe(1)
    expect(call(deque, 'poll')).toBeNull()
    expect(() => call(deque, 'getFirst')).toThrow('it is empty')
    expect(call(deque, 'equals', [])).toBe(true)
    const stack = construct('Stack')
    call(stack, 'push', 'a')
    call(stack, 'push', 'b')
    expect(call(stack, 'search', 'a')).toBe(2)
    expect(call(stack, 'pop')).toBe('b')
    expect(call(stack, 'get', 0)).toBe('a')
  })
})
