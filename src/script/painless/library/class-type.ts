/**
 * The allow-list: classes that a script may name, with their members as functions. There is no
 * other way from a script to a value's inside, so that a script reaches what stands here alone.
 *
 * Values pass in the form of their declared type: `boolean` as boolean; `byte`, `short`, `char`
 * (a UTF-16 unit) and `int` as integral numbers; `long` as a `Long` of `util/long.ts` (number while
 * safe, bigint beyond); `float` and `double` as numbers; `def` and all classes as a `ScriptValue`.
 * A parameter whose type is a functional interface gets a `ScriptFunction`.
 */
import type { Long } from '../../../util/long.ts'
import type { ScriptRun } from '../../script-run.ts'
import { ScriptObject, type ScriptValue } from '../../value/script-value.ts'

/** A type by name: a primitive, `def`, `void`, or a class by the name that scripts use (`Map.Entry`). */
export type TypeName = string

/** A value in the form of its declared type. */
export type Typed = ScriptValue | Long

/** A method, a constructor or a getter. */
export interface Member {
  readonly parameters: readonly TypeName[]
  readonly returns: TypeName
  /**
   * @param run counts what the call takes: long loops and growth are charged to it
   * @param receiver null for static members and constructors
   * @throws {ScriptFault}
   */
  call(run: ScriptRun, receiver: never, ...inputs: never[]): Typed
}

/** A class of the allow-list. */
export interface ClassType {
  /** As scripts name it: `List`, `Map.Entry`, `ZonedDateTime`. */
  readonly name: string
  /** As Java names it: `java.util.List`. */
  readonly javaName: string
  /** Classes and interfaces whose members it has too, by `name`; those without end at `Object`. */
  readonly supers: readonly string[]
  /** By number of arguments. */
  readonly constructors: Readonly<Record<number, Member>>
  /** By `name/arity`. */
  readonly methods: Readonly<Record<string, Member>>
  /** By `name/arity`. */
  readonly statics: Readonly<Record<string, Member>>
  /** Constants of the class: `Math.PI`. */
  readonly constants: Readonly<Record<string, { readonly type: TypeName; readonly value: Typed }>>
  /** The one method of a functional interface (`Comparator`: two `def`, an `int`); null: it is none. */
  readonly functional: {
    readonly parameters: readonly TypeName[]
    readonly returns: TypeName
  } | null
  /** Whether a value that is not null is an instance, as `instanceof` says. */
  isInstance(value: Exclude<ScriptValue, null>): boolean
}

/** A lambda or a method reference, as a method of the allow-list calls it. */
export abstract class ScriptFunction extends ScriptObject {
  /** Inputs and the result are values: the function converts them to its own types. */
  abstract call(...inputs: ScriptValue[]): ScriptValue
}
