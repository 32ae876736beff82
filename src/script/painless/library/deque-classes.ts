/** `Queue`, `Deque`, `LinkedList`, `ArrayDeque`, `Vector` and `Stack`: lists with two ends. */
import { noSuchElement } from '../../java-faults.ts'
import { chargeList } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { valuesEqual } from '../../value/equality.ts'
import { NamedList } from '../../value/named-list.ts'
import type { ScriptList, ScriptValue } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType, Member } from './class-type.ts'
import { type AnyCollection, indexIn } from './collection-class.ts'
import { listOf, push } from './iterable-class.ts'
import { iteratorOf } from './iterator-value.ts'
import { constructors, members } from './members.ts'

const isNamed =
  (...names: string[]) =>
  (value: Exclude<ScriptValue, null>): boolean =>
    value instanceof NamedList && names.includes(value.className)

/** The first element, or the last; null where it is empty. */
function peek(list: ScriptList, isLast: boolean): ScriptValue {
  return (isLast ? list.at(-1) : list[0]) ?? null
}

function poll(run: ScriptRun, list: ScriptList, isLast: boolean): ScriptValue {
  if (isLast) return list.pop() ?? null
  run.step(list.length >> 8)
  return list.shift() ?? null
}

function addFirst(run: ScriptRun, list: ScriptList, item: ScriptValue): true {
  chargeList(run, list.length + 1, 1)
  run.step(list.length >> 8)
  list.unshift(item)
  return true
}

function addLast(run: ScriptRun, list: ScriptList, item: ScriptValue): true {
  push(run, list, item)
  return true
}

/** A list that must not be empty. */
function filled(list: ScriptList): ScriptList {
  if (list.length === 0) throw noSuchElement('it is empty')
  return list
}

/** Takes out one element that equals; the last one, where it is searched from there. */
function removeOne(run: ScriptRun, list: ScriptList, value: ScriptValue, isLast: boolean): boolean {
  let index = isLast ? -1 : indexIn(run, list, value)
  if (isLast)
    for (let i = list.length - 1; i >= 0 && index < 0; i--) {
      run.step()
      if (valuesEqual(list[i]!, value, run)) index = i
    }
  if (index >= 0) list.splice(index, 1)
  return index >= 0
}

const QUEUE: ClassType = {
  ...classOf('Queue', 'java.util.Queue', isNamed('java.util.LinkedList', 'java.util.ArrayDeque')),
  supers: ['Collection', 'Iterable', 'Object'],
  methods: members({
    'def element()': (_run, list: ScriptList) => peek(filled(list), false),
    'boolean offer(def)': addLast,
    'def peek()': (_run, list: ScriptList) => peek(list, false),
    'def poll()': (run, list: ScriptList) => poll(run, list, false),
    'def remove()': (run, list: ScriptList) => poll(run, filled(list), false),
  }),
}

const DEQUE_MEMBERS: Readonly<Record<string, Member>> = members({
  'void addFirst(def)': addFirst,
  'void addLast(def)': addLast,
  'Iterator descendingIterator()': (run, list: ScriptList) =>
    iteratorOf(run, listOf(run, list).reverse()),
  'def getFirst()': (_run, list: ScriptList) => peek(filled(list), false),
  'def getLast()': (_run, list: ScriptList) => peek(filled(list), true),
  'boolean offerFirst(def)': addFirst,
  'boolean offerLast(def)': addLast,
  'def peekFirst()': (_run, list: ScriptList) => peek(list, false),
  'def peekLast()': (_run, list: ScriptList) => peek(list, true),
  'def pollFirst()': (run, list: ScriptList) => poll(run, list, false),
  'def pollLast()': (run, list: ScriptList) => poll(run, list, true),
  'def pop()': (run, list: ScriptList) => poll(run, filled(list), false),
  'void push(def)': addFirst,
  'def removeFirst()': (run, list: ScriptList) => poll(run, filled(list), false),
  'boolean removeFirstOccurrence(def)': (run, list: ScriptList, value: ScriptValue) =>
    removeOne(run, list, value, false),
  'def removeLast()': (run, list: ScriptList) => poll(run, filled(list), true),
  'boolean removeLastOccurrence(def)': (run, list: ScriptList, value: ScriptValue) =>
    removeOne(run, list, value, true),
})

/** @param below classes that extend it */
function namedClass(
  name: string,
  supers: readonly string[],
  below: readonly string[] = [],
): ClassType {
  const javaName = `java.util.${name}`
  return {
    ...classOf(name, javaName, isNamed(javaName, ...below)),
    supers: [...supers, 'Collection', 'Iterable', 'Object'],
    constructors: constructors(name, {
      '()': () => new NamedList(javaName),
      '(Collection)': (run, _, items: AnyCollection) => new NamedList(javaName, listOf(run, items)),
    }),
    methods: members({
      'def clone()': (run, list: ScriptList) => new NamedList(javaName, listOf(run, list)),
    }),
  }
}

const STACK: ClassType = {
  ...namedClass('Stack', ['Vector', 'List']),
  constructors: constructors('Stack', { '()': () => new NamedList('java.util.Stack') }),
  methods: members({
    'boolean empty()': (_run, list: ScriptList) => list.length === 0,
    'def peek()': (_run, list: ScriptList) => peek(filled(list), true),
    'def pop()': (run, list: ScriptList) => poll(run, filled(list), true),
    'def push(def)': (run, list: ScriptList, item: ScriptValue) => {
      push(run, list, item)
      return item
    },
    'int search(def)': (run, list: ScriptList, value: ScriptValue) => {
      for (let i = list.length - 1; i >= 0; i--) {
        run.step()
        if (valuesEqual(list[i]!, value, run)) return list.length - i
      }
      return -1
    },
  }),
}

/** `Queue`, `Deque`, `LinkedList`, `ArrayDeque`, `Vector`, `Stack`. */
export const DEQUE_CLASSES: readonly ClassType[] = [
  QUEUE,
  {
    ...classOf('Deque', 'java.util.Deque', isNamed('java.util.LinkedList', 'java.util.ArrayDeque')),
    supers: ['Queue', 'Collection', 'Iterable', 'Object'],
    methods: DEQUE_MEMBERS,
  },
  namedClass('LinkedList', ['Deque', 'Queue', 'List']),
  namedClass('ArrayDeque', ['Deque', 'Queue']),
  namedClass('Vector', ['List'], ['java.util.Stack']),
  STACK,
]
