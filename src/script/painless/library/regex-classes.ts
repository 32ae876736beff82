/** `Pattern` and `Matcher`; patterns are made by the language's own literals. */
import { EngineError } from '../../../util/errors.ts'
import { Replacement } from '../../../util/pattern/replacement.ts'
import { illegalArgument } from '../../java-faults.ts'
import { chargeList, chargeText } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { MatcherValue } from '../../value/matcher-value.ts'
import { PatternValue } from '../../value/pattern-value.ts'
import { ScriptArray } from '../../value/script-array.ts'
import { textOfValue } from '../../value/value-text.ts'
import { classOf } from './class-of.ts'
import type { ClassType, Member, ScriptFunction } from './class-type.ts'
import { members } from './members.ts'
import { NativeFunction } from './native-function.ts'
import { type CharSequence, textOf } from './string-builder-value.ts'
import { concatenate } from './text-parts.ts'

/** Java's numbers of the flags. */
const FLAG_BITS: Readonly<Record<string, number>> = {
  CANON_EQ: 128,
  CASE_INSENSITIVE: 2,
  COMMENTS: 4,
  DOTALL: 32,
  LITERAL: 16,
  MULTILINE: 8,
  UNICODE_CASE: 64,
  UNICODE_CHARACTER_CLASS: 256,
  UNIX_LINES: 1,
}

/** A matcher over a text, of which each search is a step for 16 characters. */
function matcherOf(run: ScriptRun, pattern: PatternValue, text: CharSequence): MatcherValue {
  const input = textOf(text)
  run.step(1 + (input.length >> 4))
  return new MatcherValue(pattern, input)
}

const PATTERN: ClassType = {
  ...classOf('Pattern', 'java.util.regex.Pattern', value => value instanceof PatternValue),
  constants: Object.fromEntries(
    Object.entries(FLAG_BITS).map(([name, value]) => [name, { type: 'int', value }]),
  ),
  methods: members({
    'Predicate asPredicate()': (run, pattern: PatternValue) =>
      new NativeFunction('java.util.function.Predicate', (text = null) =>
        matcherOf(run, pattern, textOfValue(text, run)).find(),
      ),
    'int flags()': (_run, pattern: PatternValue) =>
      pattern.flags.split('|').reduce((bits, name) => bits | (FLAG_BITS[name.trim()] ?? 0), 0),
    'Matcher matcher(CharSequence)': matcherOf,
    'String pattern()': (_run, pattern: PatternValue) => pattern.pattern,
    'String[] split(CharSequence)': (run, pattern: PatternValue, text: CharSequence) =>
      split(run, pattern, text, 0),
    'String[] split(CharSequence, int)': split,
  }),
  statics: members({
    'String quote(String)': (run, _, text: string) => {
      chargeText(run, text.length + 4)
      return `\\Q${text.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`
    },
  }),
}

function split(
  run: ScriptRun,
  pattern: PatternValue,
  text: CharSequence,
  limit: number,
): ScriptArray {
  const matcher = matcherOf(run, pattern, text)
  const { input } = matcher
  const parts: string[] = []
  let start = 0
  while ((limit <= 0 || parts.length < limit - 1) && matcher.find()) {
    run.step()
    const end = matcher.bound(0, true)
    // An empty match at the start gives no empty part.
    if (end === 0) continue
    chargeList(run, parts.length + 1, 4)
    parts.push(input.slice(start, matcher.bound(0, false)))
    start = end
  }
  chargeText(run, input.length)
  parts.push(input.slice(start))
  if (limit === 0) while (parts.length > 1 && parts.at(-1) === '') parts.pop()
  return new ScriptArray('String', parts)
}

const MATCHER: ClassType = {
  ...classOf('Matcher', 'java.util.regex.Matcher', value => value instanceof MatcherValue),
  methods: members({
    'int end()': (_run, matcher: MatcherValue) => matcher.bound(0, true),
    'int end(int)': (_run, matcher: MatcherValue, group: number) => matcher.bound(group, true),
    'boolean find()': (run, matcher: MatcherValue) => {
      run.step(1 + (matcher.input.length >> 4))
      return matcher.find()
    },
    'boolean find(int)': (run, matcher: MatcherValue, start: number) => {
      run.step(1 + (matcher.input.length >> 4))
      return matcher.findFrom(start)
    },
    'String group()': (_run, matcher: MatcherValue) => matcher.group(0),
    'String group(int)': (_run, matcher: MatcherValue, group: number) => matcher.group(group),
    'int groupCount()': (_run, matcher: MatcherValue) => matcher.groupCount,
    'boolean lookingAt()': (run, matcher: MatcherValue) => {
      run.step(1 + (matcher.input.length >> 4))
      return matcher.lookingAt()
    },
    'boolean matches()': (run, matcher: MatcherValue) => {
      run.step(1 + (matcher.input.length >> 4))
      return matcher.matches()
    },
    'String namedGroup(String)': (_run, matcher: MatcherValue, name: string) =>
      matcher.group(matcher.groupNamed(name)),
    'Pattern pattern()': (_run, matcher: MatcherValue) => matcher.pattern,
    'String replaceAll(String)': (run, matcher: MatcherValue, replacement: string) =>
      replaced(run, matcher, replacement, true),
    'String replaceFirst(String)': (run, matcher: MatcherValue, replacement: string) =>
      replaced(run, matcher, replacement, false),
    'Matcher reset()': (_run, matcher: MatcherValue) => matcher.reset(),
    'int start()': (_run, matcher: MatcherValue) => matcher.bound(0, false),
    'int start(int)': (_run, matcher: MatcherValue, group: number) => matcher.bound(group, false),
  }),
  statics: members({
    'String quoteReplacement(String)': (run, _, text: string) => {
      chargeText(run, 2 * text.length)
      return text.replace(/[\\$]/g, '\\$&')
    },
  }),
}

/** `Pattern`, `Matcher`. */
export const REGEX_CLASSES: readonly ClassType[] = [PATTERN, MATCHER]

/** Members that Painless adds to `CharSequence`: replacing by a function of the matcher. */
export const REGEX_TEXT_MEMBERS: Readonly<Record<string, Member>> = members({
  'String replaceAll(Pattern, Function)': (
    run,
    text: CharSequence,
    pattern: PatternValue,
    of: ScriptFunction,
  ) => replacedBy(run, matcherOf(run, pattern, text), true, found => callText(run, of, found)),
  'String replaceFirst(Pattern, Function)': (
    run,
    text: CharSequence,
    pattern: PatternValue,
    of: ScriptFunction,
  ) => replacedBy(run, matcherOf(run, pattern, text), false, found => callText(run, of, found)),
})

function callText(run: ScriptRun, of: ScriptFunction, matcher: MatcherValue): string {
  return textOfValue(of.call(matcher), run)
}

/** A text with matches replaced by one with `$1` and `${name}` in it. */
function replaced(run: ScriptRun, matcher: MatcherValue, text: string, all: boolean): string {
  matcher.reset()
  try {
    // Checks the groups that the replacement names.
    new Replacement(text, matcher.program)
  } catch (error) {
    if (error instanceof EngineError) throw illegalArgument(error.message)
    throw error
  }
  return replacedBy(run, matcher, all, found => expanded(text, found))
}

function replacedBy(
  run: ScriptRun,
  matcher: MatcherValue,
  all: boolean,
  of: (matcher: MatcherValue) => string,
): string {
  const { input } = matcher
  let text = ''
  let copied = 0
  while (matcher.find()) {
    run.step()
    const start = matcher.bound(0, false)
    const end = matcher.bound(0, true)
    text = concatenate(run, concatenate(run, text, input.slice(copied, start)), of(matcher))
    copied = end
    if (!all) break
  }
  return concatenate(run, text, input.slice(copied))
}

/** A replacement with the groups of the current match; `Replacement` has checked it. */
function expanded(text: string, matcher: MatcherValue): string {
  return text.replace(
    /\\(.)|\$\{(\w+)\}|\$(\d+)/gs,
    (_all, literal?: string, name?: string, digits?: string) => {
      if (literal !== undefined) return literal
      if (name !== undefined) return matcher.group(matcher.groupNamed(name)) ?? ''
      // Takes digits while they name an existing group.
      let length = 1
      while (length < digits!.length && Number(digits!.slice(0, length + 1)) <= matcher.groupCount)
        length++
      return (matcher.group(Number(digits!.slice(0, length))) ?? '') + digits!.slice(length)
    },
  )
}
