/** Members that streams of all item types share, and those that make streams. */
import type { Long } from '../../../util/long.ts'
import { classCast, illegalArgument } from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import { boxed } from '../../value/boxing.ts'
import { toDouble, toInt, toLong } from '../../value/java-numbers.ts'
import { ScriptArray } from '../../value/script-array.ts'
import { classNameOf, type ScriptValue } from '../../value/script-value.ts'
import { arrayOf, listOfArray, objectArrayOf } from './array-of.ts'
import { doubleFrom, intFrom, longFrom } from './call-function.ts'
import type { Member, ScriptFunction } from './class-type.ts'
import { iteratorOf } from './iterator-value.ts'
import { members } from './members.ts'
import { OptionalValue, optionalName, optionalOf } from './optional-classes.ts'
import {
  anyMatch,
  concatenated,
  distinct,
  filtered,
  flattened,
  iterated,
  limited,
  listOfItems,
  mapped,
  reduced,
  skipped,
  sorted,
} from './stream-operations.ts'
import { type StreamType, StreamValue, streamName } from './stream-value.ts'

/** A function's result as a value of an item type. */
export function resultOf(
  type: StreamType,
): (callee: ScriptFunction, ...inputs: ScriptValue[]) => ScriptValue {
  switch (type) {
    case 'def':
      return (callee, ...inputs) => callee.call(...inputs)
    case 'int':
      return intFrom
    case 'long':
      return (callee, ...inputs) => boxed('long', longFrom(callee, ...inputs))
    case 'double':
      return (callee, ...inputs) => boxed('double', doubleFrom(callee, ...inputs))
  }
}

/** A value in the form of an item type. */
export function unboxed(type: StreamType, value: ScriptValue): ScriptValue {
  switch (type) {
    case 'def':
      return value
    case 'int':
      return toInt(value)
    case 'long':
      return toLong(value)
    case 'double':
      return toDouble(value)
  }
}

/** The names of the functional interfaces over an item type. */
const FUNCTIONS: Readonly<
  Record<
    StreamType,
    Readonly<Record<'predicate' | 'consumer' | 'operator' | 'binary' | 'supplier', string>>
  >
> = {
  def: {
    predicate: 'Predicate',
    consumer: 'Consumer',
    operator: 'UnaryOperator',
    binary: 'BinaryOperator',
    supplier: 'Supplier',
  },
  int: {
    predicate: 'IntPredicate',
    consumer: 'IntConsumer',
    operator: 'IntUnaryOperator',
    binary: 'IntBinaryOperator',
    supplier: 'IntSupplier',
  },
  long: {
    predicate: 'LongPredicate',
    consumer: 'LongConsumer',
    operator: 'LongUnaryOperator',
    binary: 'LongBinaryOperator',
    supplier: 'LongSupplier',
  },
  double: {
    predicate: 'DoublePredicate',
    consumer: 'DoubleConsumer',
    operator: 'DoubleUnaryOperator',
    binary: 'DoubleBinaryOperator',
    supplier: 'DoubleSupplier',
  },
}

/** An optional value of an item type. */
export function optional(type: StreamType, value: ScriptValue | undefined): OptionalValue {
  if (type === 'def') return optionalOf(value ?? null)
  return new OptionalValue(type, value === undefined ? undefined : unboxed(type, value))
}

/** Members of streams of every item type. */
export function shared(type: StreamType): Record<string, Member> {
  const name = streamName(type)
  const { predicate, consumer, binary } = FUNCTIONS[type]
  const optionalType = optionalName(type)
  const arrayType = type === 'def' ? 'Object' : type
  const result = resultOf(type)
  const made = (items: Iterable<ScriptValue>): StreamValue => new StreamValue(type, items)
  return members({
    [`boolean allMatch(${predicate})`]: (run, stream: StreamValue, of: ScriptFunction) =>
      !anyMatch(run, stream.take(), of, false),
    [`boolean anyMatch(${predicate})`]: (run, stream: StreamValue, of: ScriptFunction) =>
      anyMatch(run, stream.take(), of, true),
    'void close()': () => undefined,
    'long count()': (run, stream: StreamValue) => {
      let count = 0
      for (const _ of stream.take()) {
        run.step()
        count++
      }
      return count
    },
    [`${name} distinct()`]: (run, stream: StreamValue) => made(distinct(run, stream.take())),
    [`${name} filter(${predicate})`]: (run, stream: StreamValue, of: ScriptFunction) =>
      made(filtered(run, stream.take(), of)),
    [`${optionalType} findAny()`]: (_run, stream: StreamValue) => optional(type, first(stream)),
    [`${optionalType} findFirst()`]: (_run, stream: StreamValue) => optional(type, first(stream)),
    [`void forEach(${consumer})`]: (run, stream: StreamValue, of: ScriptFunction) => {
      for (const item of stream.take()) {
        run.step()
        of.call(item)
      }
    },
    [`void forEachOrdered(${consumer})`]: (run, stream: StreamValue, of: ScriptFunction) => {
      for (const item of stream.take()) {
        run.step()
        of.call(item)
      }
    },
    'boolean isParallel()': () => false,
    'Iterator iterator()': (run, stream: StreamValue) =>
      iteratorOf(run, listOfItems(run, stream.take())),
    [`${name} limit(long)`]: (run, stream: StreamValue, max: Long) => {
      if (max < 0) throw illegalArgument(String(max))
      return made(limited(run, stream.take(), max))
    },
    [`boolean noneMatch(${predicate})`]: (run, stream: StreamValue, of: ScriptFunction) =>
      !anyMatch(run, stream.take(), of, true),
    [`${name} peek(${consumer})`]: (run, stream: StreamValue, of: ScriptFunction) =>
      made(
        mapped(run, stream.take(), item => {
          of.call(item)
          return item
        }),
      ),
    [`${optionalType} reduce(${binary})`]: (run, stream: StreamValue, of: ScriptFunction) =>
      optional(
        type,
        reduced(run, stream.take(), undefined, (a, b) => result(of, a, b)),
      ),
    [`${type} reduce(${type}, ${binary})`]: (
      run,
      stream: StreamValue,
      start: ScriptValue,
      of: ScriptFunction,
    ) =>
      unboxed(
        type,
        reduced(run, stream.take(), boxed(type, start), (a, b) => result(of, a, b)) ?? null,
      ),
    [`${name} sequential()`]: (_run, stream: StreamValue) => stream,
    [`${name} skip(long)`]: (run, stream: StreamValue, count: Long) => {
      if (count < 0) throw illegalArgument(String(count))
      return made(skipped(run, stream.take(), count))
    },
    [`${name} sorted()`]: (run, stream: StreamValue) => made(sorted(run, stream.take(), null)),
    [`${arrayType}[] toArray()`]: (run, stream: StreamValue) =>
      new ScriptArray(
        arrayType,
        listOfItems(run, stream.take()).map(item => unboxed(type, item)),
      ),
    [`${name} unordered()`]: (_run, stream: StreamValue) => stream,
  })
}

function first(stream: StreamValue): ScriptValue | undefined {
  for (const item of stream.take()) return item
  return undefined
}

/** `mapToInt` and the like: a function, and a stream of what it gives. */
export function mappings(from: StreamType): Record<string, Member> {
  const table: Record<string, Parameters<typeof members>[0][string]> = {}
  for (const to of ['def', 'int', 'long', 'double'] as const) {
    const result = resultOf(to)
    const make = (run: ScriptRun, stream: StreamValue, of: ScriptFunction): StreamValue =>
      new StreamValue(
        to,
        mapped(run, stream.take(), item => result(of, item)),
      )
    const end = streamName(to).slice(0, -'Stream'.length)
    const start = streamName(from).slice(0, -'Stream'.length)
    if (to === from) {
      const of = from === 'def' ? 'Function' : FUNCTIONS[from].operator
      table[`${streamName(to)} map(${of})`] = make
    } else if (to === 'def') table[`Stream mapToObj(${start}Function)`] = make
    else {
      const of = from === 'def' ? `To${end}Function` : `${start}To${end}Function`
      table[`${streamName(to)} mapTo${end}(${of})`] = make
    }
  }
  return members(table)
}

/** `flatMap`: a stream of streams of the same item type. */
export function flatMapping(type: StreamType): Record<string, Member> {
  const name = streamName(type)
  const of = type === 'def' ? 'Function' : `${name.slice(0, -'Stream'.length)}Function`
  return members({
    [`${name} flatMap(${of})`]: (run, stream: StreamValue, callee: ScriptFunction) =>
      new StreamValue(
        type,
        flattened(run, stream.take(), item => {
          const inner = callee.call(item)
          if (inner === null) return []
          if (inner instanceof StreamValue && inner.type === type) return inner.take()
          throw classCast(classNameOf(inner), `java.util.stream.${name}`)
        }),
      ),
  })
}

/** `empty`, `of`, `iterate`, `generate` and `concat`. */
export function sources(type: StreamType): Record<string, Member> {
  const name = streamName(type)
  const { operator, supplier } = FUNCTIONS[type]
  const result = resultOf(type)
  return members({
    [`${name} concat(${name}, ${name})`]: (_run, _, a: StreamValue, b: StreamValue) =>
      new StreamValue(type, concatenated(a.take(), b.take())),
    [`${name} empty()`]: () => new StreamValue(type, []),
    [`${name} generate(${supplier})`]: (run, _, of: ScriptFunction) =>
      new StreamValue(
        type,
        mapped(
          run,
          iterated(run, null, item => item),
          () => result(of),
        ),
      ),
    [`${name} iterate(${type}, ${operator})`]: (run, _, start: ScriptValue, of: ScriptFunction) =>
      new StreamValue(
        type,
        iterated(run, boxed(type, start), item => result(of, item)),
      ),
    [`${name} of(${type === 'def' ? 'Object' : `${type}[]`})`]: (run, _, array: ScriptValue) =>
      new StreamValue(
        type,
        listOfArray(run, type === 'def' ? objectArrayOf(array) : arrayOf(array)),
      ),
  })
}
