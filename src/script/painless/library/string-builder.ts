/** `StringBuilder` and `StringBuffer`. */
import { indexOutOfBounds, stringBounds } from '../../java-faults.ts'
import { chargeText } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { codePointBefore, codePointCount, offsetByCodePoints } from './code-points.ts'
import { constructors, members } from './members.ts'
import { type CharSequence, StringBuilderValue, textOf } from './string-builder-value.ts'
import { concatenate, partOf, unitAt } from './text-parts.ts'

/** `StringBuilder`, `StringBuffer`. */
export const STRING_BUILDER_CLASSES: readonly ClassType[] = [
  builderClass('StringBuilder'),
  builderClass('StringBuffer'),
]

function builderClass(name: string): ClassType {
  const javaName = `java.lang.${name}`
  return {
    ...classOf(
      name,
      javaName,
      value => value instanceof StringBuilderValue && value.className === javaName,
    ),
    supers: ['CharSequence', 'Object'],
    constructors: constructors(name, {
      '()': () => new StringBuilderValue(javaName, ''),
      '(CharSequence)': (run, _, text: CharSequence) =>
        new StringBuilderValue(javaName, concatenate(run, '', textOf(text))),
    }),
    methods: members({
      [`${name} append(def)`]: (run, builder: StringBuilderValue, value: ScriptValue) => {
        builder.content = concatenate(run, builder.content, textOfValue(value, run))
        return builder
      },
      [`${name} append(CharSequence, int, int)`]: (
        run,
        builder: StringBuilderValue,
        text: CharSequence,
        start: number,
        end: number,
      ) => {
        builder.content = concatenate(run, builder.content, partOf(run, textOf(text), start, end))
        return builder
      },
      [`${name} appendCodePoint(int)`]: (run, builder: StringBuilderValue, point: number) => {
        builder.content = concatenate(run, builder.content, textOfPoint(point))
        return builder
      },
      'int capacity()': (_run, builder: StringBuilderValue) => Math.max(16, builder.content.length),
      'int codePointAt(int)': (_run, builder: StringBuilderValue, index: number) => {
        unitAt(builder.content, index)
        return builder.content.codePointAt(index)!
      },
      'int codePointBefore(int)': (_run, builder: StringBuilderValue, index: number) =>
        codePointBefore(builder.content, index),
      'int codePointCount(int, int)': (
        run,
        builder: StringBuilderValue,
        start: number,
        end: number,
      ) => codePointCount(run, builder.content, start, end),
      'void ensureCapacity(int)': () => undefined,
      'int offsetByCodePoints(int, int)': (
        _run,
        builder: StringBuilderValue,
        index: number,
        count: number,
      ) => offsetByCodePoints(builder.content, index, count),
      'void trimToSize()': () => undefined,
      [`${name} delete(int, int)`]: (
        run,
        builder: StringBuilderValue,
        start: number,
        end: number,
      ) => splice(run, builder, start, end, ''),
      [`${name} deleteCharAt(int)`]: (run, builder: StringBuilderValue, index: number) => {
        unitAt(builder.content, index)
        return splice(run, builder, index, index + 1, '')
      },
      'int indexOf(String)': (_run, builder: StringBuilderValue, part: string) =>
        builder.content.indexOf(part),
      'int indexOf(String, int)': (_run, builder: StringBuilderValue, part: string, from: number) =>
        builder.content.indexOf(part, from),
      [`${name} insert(int, def)`]: (
        run,
        builder: StringBuilderValue,
        at: number,
        value: ScriptValue,
      ) => {
        if (at < 0 || at > builder.content.length)
          throw stringBounds(`offset ${at}, length ${builder.content.length}`)
        return splice(run, builder, at, at, textOfValue(value, run))
      },
      'int lastIndexOf(String)': (_run, builder: StringBuilderValue, part: string) =>
        builder.content.lastIndexOf(part),
      'int lastIndexOf(String, int)': (
        _run,
        builder: StringBuilderValue,
        part: string,
        from: number,
      ) => (from < 0 ? -1 : builder.content.lastIndexOf(part, from)),
      [`${name} replace(int, int, String)`]: splice,
      [`${name} reverse()`]: (run, builder: StringBuilderValue) => {
        chargeText(run, builder.content.length)
        builder.content = Array.from(builder.content).reverse().join('')
        return builder
      },
      'void setCharAt(int, char)': (
        run,
        builder: StringBuilderValue,
        index: number,
        unit: number,
      ) => {
        unitAt(builder.content, index)
        splice(run, builder, index, index + 1, String.fromCharCode(unit))
      },
      'void setLength(int)': (run, builder: StringBuilderValue, length: number) =>
        setLength(run, builder, length),
      'String substring(int)': (run, builder: StringBuilderValue, start: number) =>
        partOf(run, builder.content, start, builder.content.length),
      'String substring(int, int)': (
        run,
        builder: StringBuilderValue,
        start: number,
        end: number,
      ) => partOf(run, builder.content, start, end),
    }),
  }
}

/** Replaces what lies between; an end behind the text is its end. */
function splice(
  run: ScriptRun,
  builder: StringBuilderValue,
  start: number,
  end: number,
  text: string,
): StringBuilderValue {
  const { content } = builder
  const last = Math.min(end, content.length)
  if (start < 0 || start > last)
    throw stringBounds(`start ${start}, end ${last}, length ${content.length}`)
  chargeText(run, content.length + text.length - (last - start))
  builder.content = content.slice(0, start) + text + content.slice(last)
  return builder
}

function setLength(run: ScriptRun, builder: StringBuilderValue, length: number): undefined {
  if (length < 0) throw indexOutOfBounds(length, builder.content.length)
  chargeText(run, length)
  builder.content = builder.content.slice(0, length).padEnd(length, '\0')
}

function textOfPoint(point: number): string {
  if (point < 0 || point > 0x10ffff) throw stringBounds(`Not a valid Unicode code point: ${point}`)
  return String.fromCodePoint(point)
}
