/** Exceptions of Java's that a script may throw and catch. */
import type { ErrorType } from '../../../util/errors.ts'
import { ScriptFault } from '../../script-fault.ts'
import { ExceptionValue } from '../../value/exception-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

interface Kind {
  readonly javaName: string
  readonly above: string | null
  /** Null: nothing throws it, it only catches. */
  readonly type: ErrorType
}

const KINDS: readonly Kind[] = [
  kind('java.lang.Exception', null, 'exception'),
  kind('java.lang.RuntimeException', 'Exception', 'runtime_exception'),
  ...below('RuntimeException', {
    'java.lang.ArithmeticException': 'arithmetic_exception',
    'java.lang.ClassCastException': 'class_cast_exception',
    'java.lang.IllegalArgumentException': 'illegal_argument_exception',
    'java.lang.IllegalStateException': 'illegal_state_exception',
    'java.lang.IndexOutOfBoundsException': 'index_out_of_bounds_exception',
    'java.lang.NegativeArraySizeException': 'negative_array_size_exception',
    'java.lang.NullPointerException': 'null_pointer_exception',
    'java.lang.UnsupportedOperationException': 'unsupported_operation_exception',
    'java.time.DateTimeException': 'date_time_exception',
    'java.util.ConcurrentModificationException': 'concurrent_modification_exception',
    'java.util.NoSuchElementException': 'no_such_element_exception',
  }),
  ...below('IllegalArgumentException', {
    'java.lang.NumberFormatException': 'number_format_exception',
    'java.util.IllegalFormatException': 'illegal_format_exception',
    'java.util.regex.PatternSyntaxException': 'pattern_syntax_exception',
  }),
  ...below('IndexOutOfBoundsException', {
    'java.lang.ArrayIndexOutOfBoundsException': 'array_index_out_of_bounds_exception',
    'java.lang.StringIndexOutOfBoundsException': 'string_index_out_of_bounds_exception',
  }),
  ...below('DateTimeException', {
    'java.time.format.DateTimeParseException': 'date_time_parse_exception',
    'java.time.temporal.UnsupportedTemporalTypeException': 'unsupported_temporal_type_exception',
    'java.time.zone.ZoneRulesException': 'zone_rules_exception',
  }),
]

function kind(javaName: string, above: string | null, type: ErrorType): Kind {
  return { javaName, above, type }
}

function below(above: string, types: Readonly<Record<string, ErrorType>>): Kind[] {
  return Object.entries(types).map(([javaName, type]) => kind(javaName, above, type))
}

const ABOVE: ReadonlyMap<string, string | null> = new Map(
  KINDS.map(({ javaName, above }) => [shortName(javaName), above]),
)

function shortName(javaName: string): string {
  return javaName.slice(javaName.lastIndexOf('.') + 1)
}

/** `Exception` and the classes below it. */
export const EXCEPTION_CLASSES: readonly ClassType[] = KINDS.map(exceptionClass)

function exceptionClass({ javaName, above, type }: Kind): ClassType {
  const name = shortName(javaName)
  const make = (reason: string): ExceptionValue =>
    new ExceptionValue(new ScriptFault(type, javaName, reason))
  const base = classOf(
    name,
    javaName,
    value => value instanceof ExceptionValue && isBelow(shortName(value.className), name),
  )
  return {
    ...base,
    supers: lineAbove(above),
    constructors: {
      0: { parameters: [], returns: name, call: () => make('') },
      1: {
        parameters: ['String'],
        returns: name,
        call: (_run, _receiver, reason: string | null) => make(reason ?? 'null'),
      },
    },
    methods: members({
      'String getMessage()': (_run, value: ExceptionValue) => value.fault.message,
      'String getLocalizedMessage()': (_run, value: ExceptionValue) => value.fault.message,
      'String toString()': (_run, value: ExceptionValue) => value.text(),
    }),
  }
}

/** The classes above one, up to `Object`. */
function lineAbove(above: string | null): string[] {
  return above === null ? ['Object'] : [above, ...lineAbove(ABOVE.get(above) ?? null)]
}

/** Whether a class is another or stands below it; one that no source names is a `RuntimeException`. */
function isBelow(name: string, other: string): boolean {
  if (name.endsWith('Error')) return false
  let each: string | null = ABOVE.has(name) ? name : 'RuntimeException'
  while (each !== null && each !== other) each = ABOVE.get(each) ?? null
  return each !== null
}
