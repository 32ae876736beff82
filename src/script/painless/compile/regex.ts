/** Regular expressions, and the operators that look for them. */

import { IllegalArgumentError } from '../../../util/errors.ts'
import { nullPointer } from '../../java-faults.ts'
import { ScriptFault } from '../../script-fault.ts'
import { PatternValue } from '../../value/pattern-value.ts'
import { classNameOf, type ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import type { Expression } from '../ast.ts'
import { CompileFault } from '../compile-fault.ts'
import type { PainlessSettings } from '../painless-settings.ts'
import { type Code, constantCode, valueRun } from './code.ts'
import { convert } from './convert.ts'
import { type Frame, located } from './frame.ts'
import type { Unit } from './unit.ts'

const FLAGS: ReadonlyMap<string, string> = new Map([
  ['c', 'CANON_EQ'],
  ['i', 'CASE_INSENSITIVE'],
  ['l', 'LITERAL'],
  ['m', 'MULTILINE'],
  ['s', 'DOTALL'],
  ['U', 'UNICODE_CHARACTER_CLASS'],
  ['u', 'UNICODE_CASE'],
  ['x', 'COMMENTS'],
])

/** `/pattern/flags`. */
export function regex(unit: Unit, node: Extract<Expression, { kind: 'regex' }>): Code {
  if (unit.settings.regex === 'false')
    throw new CompileFault(
      node.offset,
      'Regexes are disabled. Set [script.painless.regex.enabled] to [true] in opensearch.yaml to ' +
        "allow them. Be careful though, regexes break out of Painless's protection against deep " +
        'recursion and long loops.',
      'illegal_state_exception',
    )
  const flags = [...node.flags].map(letter => FLAGS.get(letter)!).join('|')
  try {
    const value = new PatternValue(node.pattern, flags, limitOf(unit.settings))
    return constantCode(unit.classes.classOf('Pattern') === null ? 'def' : 'Pattern', value)
  } catch (error) {
    if (!(error instanceof IllegalArgumentError)) throw error
    throw new CompileFault(
      node.offset,
      'invalid regular expression: could not compile regex constant ' +
        `[${node.pattern}] with flags [${node.flags}]`,
    )
  }
}

function limitOf(settings: PainlessSettings): number | null {
  return settings.regex === 'limited' ? settings.regexLimitFactor : null
}

/** `text =~ pattern`: a part matches; `text ==~ pattern`: the whole does. */
export function regexTest(
  unit: Unit,
  sign: '=~' | '==~',
  left: Code,
  right: Code,
  offset: number,
): Code {
  const how = { isExplicit: false, offset }
  const text = valueRun(convert(unit.classes, left, 'def', how))
  const pattern = valueRun(convert(unit.classes, right, 'def', how))
  const test = (frame: Frame): boolean => {
    const input = text(frame)
    const by = pattern(frame)
    if (input === null || by === null)
      throw nullPointer(`Cannot apply [${sign}] operation to a null reference`)
    if (!(by instanceof PatternValue)) throw noPattern(by)
    const given = typeof input === 'string' ? input : textOfSequence(input, frame)
    frame.execution.run.step(given.length >> 4)
    return sign === '=~' ? by.find(given) : by.matches(given)
  }
  return {
    type: 'boolean',
    run: frame => {
      try {
        return test(frame)
      } catch (error) {
        throw located(error, offset)
      }
    },
  }
}

/** The text of a `CharSequence`. */
function textOfSequence(value: Exclude<ScriptValue, null>, frame: Frame): string {
  const name = classNameOf(value)
  if (name !== 'java.lang.StringBuilder') throw notCast(name, 'java.lang.CharSequence')
  return textOfValue(value, frame.execution.run)
}

function noPattern(value: Exclude<ScriptValue, null>): ScriptFault {
  return notCast(classNameOf(value), 'java.util.regex.Pattern')
}

function notCast(from: string, to: string): ScriptFault {
  return new ScriptFault(
    'class_cast_exception',
    'java.lang.ClassCastException',
    `cannot implicitly cast def [${from}] to ${to}`,
  )
}
