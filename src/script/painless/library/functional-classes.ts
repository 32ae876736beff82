/** The interfaces of `java.util.function`, `Runnable` and `Callable`: what a lambda can be. */
import { doubleValue, type ScriptValue } from '../../value/script-value.ts'
import { doubleFrom, holds, intFrom, longFrom } from './call-function.ts'
import { classOf } from './class-of.ts'
import { type ClassType, type Member, ScriptFunction, type TypeName } from './class-type.ts'
import { COMPARATOR } from './comparator-class.ts'
import { functional, members } from './members.ts'
import { NativeFunction } from './native-function.ts'

/** The interface's one method, then the names of its parameters' types: `boolean test(def, def)`. */
const SIGNATURES: Readonly<Record<string, string>> = {
  BiConsumer: 'void accept(def, def)',
  BiFunction: 'def apply(def, def)',
  BiPredicate: 'boolean test(def, def)',
  BinaryOperator: 'def apply(def, def)',
  BooleanSupplier: 'boolean getAsBoolean()',
  Consumer: 'void accept(def)',
  DoubleBinaryOperator: 'double applyAsDouble(double, double)',
  DoubleConsumer: 'void accept(double)',
  DoubleFunction: 'def apply(double)',
  DoublePredicate: 'boolean test(double)',
  DoubleSupplier: 'double getAsDouble()',
  DoubleToIntFunction: 'int applyAsInt(double)',
  DoubleToLongFunction: 'long applyAsLong(double)',
  DoubleUnaryOperator: 'double applyAsDouble(double)',
  Function: 'def apply(def)',
  IntBinaryOperator: 'int applyAsInt(int, int)',
  IntConsumer: 'void accept(int)',
  IntFunction: 'def apply(int)',
  IntPredicate: 'boolean test(int)',
  IntSupplier: 'int getAsInt()',
  IntToDoubleFunction: 'double applyAsDouble(int)',
  IntToLongFunction: 'long applyAsLong(int)',
  IntUnaryOperator: 'int applyAsInt(int)',
  LongBinaryOperator: 'long applyAsLong(long, long)',
  LongConsumer: 'void accept(long)',
  LongFunction: 'def apply(long)',
  LongPredicate: 'boolean test(long)',
  LongSupplier: 'long getAsLong()',
  LongToDoubleFunction: 'double applyAsDouble(long)',
  LongToIntFunction: 'int applyAsInt(long)',
  LongUnaryOperator: 'long applyAsLong(long)',
  ObjDoubleConsumer: 'void accept(def, double)',
  ObjIntConsumer: 'void accept(def, int)',
  ObjLongConsumer: 'void accept(def, long)',
  Predicate: 'boolean test(def)',
  Supplier: 'def get()',
  ToDoubleBiFunction: 'double applyAsDouble(def, def)',
  ToDoubleFunction: 'double applyAsDouble(def)',
  ToIntBiFunction: 'int applyAsInt(def, def)',
  ToIntFunction: 'int applyAsInt(def)',
  ToLongBiFunction: 'long applyAsLong(def, def)',
  ToLongFunction: 'long applyAsLong(def)',
  UnaryOperator: 'def apply(def)',
}

/** Calls a function with inputs in the form of their types, for a result in the form of its type. */
const CALLS: Readonly<
  Record<string, (callee: ScriptFunction, inputs: ScriptValue[]) => ScriptValue>
> = {
  boolean: (callee, inputs) => holds(callee, ...inputs),
  def: (callee, inputs) => callee.call(...inputs),
  double: (callee, inputs) => doubleFrom(callee, ...inputs),
  int: (callee, inputs) => intFrom(callee, ...inputs),
  long: (callee, inputs) => longFrom(callee, ...inputs),
  void: (callee, inputs) => callee.call(...inputs),
}

function interfaceOf(
  name: string,
  javaName: string,
  signature: string,
  more: Readonly<Record<string, Member>>,
): ClassType {
  const [head = '', list = ''] = signature.slice(0, -1).split('(')
  const [returns = ''] = head.split(' ')
  const parameters = list === '' ? [] : list.split(', ')
  const call = CALLS[returns]!
  return {
    ...classOf(name, javaName, value => value instanceof ScriptFunction),
    functional: functional(returns, ...parameters),
    methods: {
      ...members({
        [signature]: (_run, callee: ScriptFunction, ...inputs: ScriptValue[]) =>
          call(
            callee,
            inputs.map((input, i) => asValue(parameters[i]!, input)),
          ),
      }),
      ...more,
    },
  }
}

function asValue(type: TypeName, input: ScriptValue): ScriptValue {
  if (type === 'double') return doubleValue(input as number)
  return type === 'long' ? BigInt(input as number | bigint) : input
}

/** A predicate's `and`, `or` and `negate`. */
function logic(name: string): Readonly<Record<string, Member>> {
  const javaName = `java.util.function.${name}`
  const predicate = (of: (...inputs: ScriptValue[]) => boolean): ScriptFunction =>
    new NativeFunction(javaName, of)
  return members({
    [`${name} and(${name})`]: (_run, a: ScriptFunction, b: ScriptFunction) =>
      predicate((...inputs) => holds(a, ...inputs) && holds(b, ...inputs)),
    [`${name} negate()`]: (_run, a: ScriptFunction) =>
      predicate((...inputs) => !holds(a, ...inputs)),
    [`${name} or(${name})`]: (_run, a: ScriptFunction, b: ScriptFunction) =>
      predicate((...inputs) => holds(a, ...inputs) || holds(b, ...inputs)),
  })
}

/** A function that is followed by another. */
function andThen(
  name: string,
  next: string,
  passes: 'result' | 'inputs',
): Readonly<Record<string, Member>> {
  return members({
    [`${name} andThen(${next})`]: (_run, a: ScriptFunction, b: ScriptFunction) =>
      new NativeFunction(`java.util.function.${name}`, (...inputs) => {
        const result = a.call(...inputs)
        return passes === 'result' ? b.call(result) : b.call(...inputs)
      }),
  })
}

const MORE: Readonly<Record<string, Readonly<Record<string, Member>>>> = {
  BiConsumer: andThen('BiConsumer', 'BiConsumer', 'inputs'),
  BiFunction: andThen('BiFunction', 'Function', 'result'),
  BiPredicate: logic('BiPredicate'),
  BinaryOperator: andThen('BiFunction', 'Function', 'result'),
  Consumer: andThen('Consumer', 'Consumer', 'inputs'),
  DoublePredicate: logic('DoublePredicate'),
  Function: {
    ...andThen('Function', 'Function', 'result'),
    ...members({
      'Function compose(Function)': (_run, a: ScriptFunction, b: ScriptFunction) =>
        new NativeFunction('java.util.function.Function', (...inputs) => a.call(b.call(...inputs))),
    }),
  },
  IntPredicate: logic('IntPredicate'),
  LongPredicate: logic('LongPredicate'),
  Predicate: logic('Predicate'),
}

const IDENTITY = new NativeFunction('java.util.function.Function', (input = null) => input)

const STATICS: Readonly<Record<string, Readonly<Record<string, Member>>>> = {
  BinaryOperator: members({
    'BinaryOperator maxBy(Comparator)': (_run, _, order: ScriptFunction) =>
      new NativeFunction('java.util.function.BinaryOperator', (a = null, b = null) =>
        intFrom(order, a, b) >= 0 ? a : b,
      ),
    'BinaryOperator minBy(Comparator)': (_run, _, order: ScriptFunction) =>
      new NativeFunction('java.util.function.BinaryOperator', (a = null, b = null) =>
        intFrom(order, a, b) <= 0 ? a : b,
      ),
  }),
  Function: members({ 'Function identity()': () => IDENTITY }),
  UnaryOperator: members({ 'UnaryOperator identity()': () => IDENTITY }),
}

/** The interfaces that `BinaryOperator` and `UnaryOperator` extend. */
const EXTENDED: Readonly<Record<string, readonly string[]>> = {
  BinaryOperator: ['BiFunction', 'Object'],
  UnaryOperator: ['Function', 'Object'],
}

/** The functional interfaces. */
export const FUNCTIONAL_CLASSES: readonly ClassType[] = [
  ...Object.entries(SIGNATURES).map(([name, signature]) => ({
    ...interfaceOf(name, `java.util.function.${name}`, signature, MORE[name] ?? {}),
    supers: EXTENDED[name] ?? ['Object'],
    statics: STATICS[name] ?? {},
  })),
  interfaceOf('Callable', 'java.util.concurrent.Callable', 'def call()', {}),
  interfaceOf('Runnable', 'java.lang.Runnable', 'void run()', {}),
  COMPARATOR,
]
