/** `Stream`, `IntStream`, `LongStream` and `DoubleStream`. */
import type { Long } from '../../../util/long.ts'
import type { ScriptRun } from '../../script-run.ts'
import { boxed } from '../../value/boxing.ts'
import { wrapLong } from '../../value/java-numbers.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType, Member, ScriptFunction } from './class-type.ts'
import type { CollectorValue } from './collector-value.ts'
import { comparatorOf } from './list-classes.ts'
import { members } from './members.ts'
import { OptionalValue, optionalName } from './optional-classes.ts'
import { StatisticsValue, statisticsName } from './statistics-classes.ts'
import { flatMapping, mappings, optional, shared, sources, unboxed } from './stream-members.ts'
import { mapped, reduced, sorted } from './stream-operations.ts'
import { type StreamType, StreamValue, streamName } from './stream-value.ts'

const STREAM: ClassType = {
  ...classOf(
    'Stream',
    'java.util.stream.Stream',
    value => value instanceof StreamValue && value.type === 'def',
  ),
  methods: {
    ...shared('def'),
    ...mappings('def'),
    ...flatMapping('def'),
    ...members({
      'def collect(Collector)': (run, stream: StreamValue, collector: CollectorValue) =>
        collector.collect(run, stream.take()),
      'def collect(Supplier, BiConsumer, BiConsumer)': (
        run,
        stream: StreamValue,
        supplier: ScriptFunction,
        accumulator: ScriptFunction,
      ) => {
        const container = supplier.call()
        for (const item of stream.take()) {
          run.step()
          accumulator.call(container, item)
        }
        return container
      },
      'Optional max(Comparator)': (run, stream: StreamValue, order: ScriptFunction) => {
        const compare = comparatorOf(run, order)
        return optional(
          'def',
          reduced(run, stream.take(), undefined, (a, b) => (compare(a, b) >= 0 ? a : b)),
        )
      },
      'Optional min(Comparator)': (run, stream: StreamValue, order: ScriptFunction) => {
        const compare = comparatorOf(run, order)
        return optional(
          'def',
          reduced(run, stream.take(), undefined, (a, b) => (compare(a, b) <= 0 ? a : b)),
        )
      },
      'def reduce(def, BiFunction, BinaryOperator)': (
        run,
        stream: StreamValue,
        start: ScriptValue,
        of: ScriptFunction,
      ) => reduced(run, stream.take(), start, (a, b) => of.call(a, b)) ?? null,
      'Stream sorted(Comparator)': (run, stream: StreamValue, order: ScriptFunction) =>
        new StreamValue('def', sorted(run, stream.take(), order)),
    }),
  },
  statics: sources('def'),
}

type Primitive = Exclude<StreamType, 'def'>

function primitiveStream(type: Primitive): ClassType {
  const name = streamName(type)
  const optionalType = optionalName(type)
  const sumType = type === 'double' ? 'double' : type
  return {
    ...classOf(
      name,
      `java.util.stream.${name}`,
      value => value instanceof StreamValue && value.type === type,
    ),
    methods: {
      ...shared(type),
      ...mappings(type),
      ...flatMapping(type),
      ...(type === 'double' ? {} : widenings(type)),
      ...members({
        'OptionalDouble average()': (run, stream: StreamValue) => {
          const statistics = statisticsOf(run, stream)
          return new OptionalValue(
            'double',
            statistics.count === 0 ? undefined : statistics.average,
          )
        },
        'Stream boxed()': (_run, stream: StreamValue) => new StreamValue('def', stream.take()),
        [`${optionalType} max()`]: (run, stream: StreamValue) =>
          new OptionalValue(type, statisticsOf(run, stream).max ?? undefined),
        [`${optionalType} min()`]: (run, stream: StreamValue) =>
          new OptionalValue(type, statisticsOf(run, stream).min ?? undefined),
        [`${sumType} sum()`]: (run, stream: StreamValue) => {
          const { sum } = statisticsOf(run, stream)
          return type === 'int' ? Number(BigInt.asIntN(32, BigInt(sum))) : sum
        },
        [`${statisticsName(type)} summaryStatistics()`]: statisticsOf,
      }),
    },
    statics: { ...sources(type), ...(type === 'double' ? {} : ranges(type)) },
  }
}

function statisticsOf(run: ScriptRun, stream: StreamValue): StatisticsValue {
  const statistics = new StatisticsValue(stream.type as Primitive)
  for (const item of stream.take()) {
    run.step()
    statistics.add(item)
  }
  return statistics
}

/** Streams of wider numbers. */
function widenings(type: 'int' | 'long'): Record<string, Member> {
  const widen =
    (to: Primitive) =>
    (run: ScriptRun, stream: StreamValue): StreamValue =>
      new StreamValue(
        to,
        mapped(run, stream.take(), item => boxed(to, unboxed(to, item))),
      )
  return members({
    'DoubleStream asDoubleStream()': widen('double'),
    ...(type === 'int' && { 'LongStream asLongStream()': widen('long') }),
  })
}

function ranges(type: 'int' | 'long'): Record<string, Member> {
  const name = streamName(type)
  return members({
    [`${name} range(${type}, ${type})`]: (run, _, start: Long, end: Long) =>
      new StreamValue(type, counted(run, type, BigInt(start), BigInt(end))),
    [`${name} rangeClosed(${type}, ${type})`]: (run, _, start: Long, end: Long) =>
      new StreamValue(type, counted(run, type, BigInt(start), BigInt(end) + 1n)),
  })
}

function* counted(
  run: ScriptRun,
  type: 'int' | 'long',
  start: bigint,
  end: bigint,
): Generator<ScriptValue, undefined, undefined> {
  for (let value = start; value < end; value++) {
    run.step()
    yield boxed(type, wrapLong(value))
  }
}

/** The four classes of streams. */
export const STREAM_CLASSES: readonly ClassType[] = [
  STREAM,
  primitiveStream('int'),
  primitiveStream('long'),
  primitiveStream('double'),
]
