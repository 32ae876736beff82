/**
 * Runs a pattern over text by trying one way after another, as Java does: what looks around or back
 * cannot be run otherwise. Choices lie on a stack of its own, and every step counts towards a limit
 * that grows with the text, so that no pattern runs for ever and a text that was taken once is always
 * taken. Within atomic groups and looks all choices go once they have matched; what their groups
 * captured then stays, even where another way is taken in the end (Java keeps it too).
 */
import { IllegalArgumentError } from '../errors.ts'
import { holds } from './assertions.ts'
import { sameFolded } from './back-reference.ts'
import type { BacktrackingInstruction, BacktrackingProgram } from './backtracking-program.ts'
import type { Machine } from './machine.ts'
import { possibleStarts } from './possible-starts.ts'

/** Max steps for one text, beside those of its characters. */
const MAX_STEPS = 10_000_000
const STEPS_PER_CHARACTER = 50
/** Max length of the stack, in numbers: 16 MB. */
const MAX_STACK = 1 << 22
/** A longer stack is given up with its text. */
const KEPT_STACK = 1 << 14

/** Kinds of choices on the stack, as the low bits of their first number; an index lies above them. */
const SPLIT = 0
const RESTORE = 1
const RUN = 2
/** Numbers of a choice. */
const CHOICE = 3

/** Finds matches of any pattern. */
export class BacktrackingMachine implements Machine {
  readonly groups: Int32Array
  readonly #instructions: readonly BacktrackingInstruction[]
  /** Groups first, then what else is kept. */
  readonly #registers: Int32Array
  readonly #firstRegister: number
  readonly #starts: Uint8Array | null
  #stack = new Int32Array(96)
  #depth = 0
  #text = ''
  /** Characters of the text and its parts. */
  #length = 0
  #steps = 0
  #maxSteps = MAX_STEPS

  constructor({ instructions, groupCount, registerCount }: BacktrackingProgram) {
    this.#instructions = instructions
    this.#firstRegister = 2 * (groupCount + 1)
    this.groups = new Int32Array(this.#firstRegister)
    this.#registers = new Int32Array(this.#firstRegister + registerCount)
    this.#starts = possibleStarts(instructions)
  }

  reset(text: string): void {
    this.#steps = 0
    this.#length = 0
    if (this.#stack.length > KEPT_STACK) this.#stack = new Int32Array(96)
    this.resetPart(text)
  }

  resetPart(text: string): void {
    this.#text = text
    this.#length += text.length
    this.#maxSteps = MAX_STEPS + STEPS_PER_CHARACTER * this.#length
  }

  find(from: number): boolean {
    const text = this.#text
    const starts = this.#starts
    this.#registers.fill(-1, 0, this.#firstRegister)
    this.#depth = 0
    for (let at = from; at <= text.length; at++) {
      if (starts !== null) {
        let unit = 0
        while (at < text.length && (unit = text.charCodeAt(at)) < 0x80 && starts[unit] === 0) at++
        if (at === text.length) return false
      }
      const end = this.#run(0, at, 0)
      if (end >= 0) {
        const { groups } = this
        groups.set(this.#registers.subarray(0, this.#firstRegister))
        groups[0] = at
        groups[1] = end
        return true
      }
      if (at < text.length && text.codePointAt(at)! > 0xffff) at++
    }
    return false
  }

  /**
   * Runs from an instruction to the end of its body.
   * @param target where a look behind must end
   * @returns the offset behind the match, its choices forgotten; −1: there is none
   */
  #run(start: number, from: number, target: number): number {
    const text = this.#text
    const instructions = this.#instructions
    const base = this.#depth
    let next = start
    let at = from
    for (;;) {
      if (++this.#steps > this.#maxSteps) throw this.#tooLong()
      const index = next++
      const instruction = instructions[index]!
      let isGood = true
      switch (instruction.op) {
        case 'set': {
          const point = at < text.length ? text.codePointAt(at)! : -1
          isGood =
            point < 0x80 ? point >= 0 && instruction.ascii[point] === 1 : instruction.set(point)
          at += point > 0xffff ? 2 : 1
          break
        }
        case 'run': {
          const before = at
          let min = at
          let count = 0
          for (; count < instruction.max && at < text.length; count++) {
            if (count === instruction.min) min = at
            const point = text.codePointAt(at)!
            if (point < 0x80 ? instruction.ascii[point] !== 1 : !instruction.set(point)) break
            at += point > 0xffff ? 2 : 1
          }
          if (count === instruction.min) min = at
          this.#steps += at - before
          isGood = count >= instruction.min
          if (isGood && at > min && !instruction.isPossessive) this.#push(RUN, index, min, at)
          break
        }
        case 'split':
          this.#push(SPLIT, instruction.second, at, 0)
          next = instruction.first
          break
        case 'jump':
          next = instruction.to
          break
        case 'mark':
          this.#keep(this.#firstRegister + instruction.register, at)
          break
        case 'close':
          this.#keep(
            2 * instruction.group,
            this.#registers[this.#firstRegister + instruction.register]!,
          )
          this.#keep(2 * instruction.group + 1, at)
          break
        case 'progress':
          if (this.#registers[this.#firstRegister + instruction.register] === at)
            next = instruction.exit
          break
        case 'assert':
          isGood = holds(instruction.assertion, text, at)
          break
        case 'backReference': {
          const end = this.#again(instruction, at)
          isGood = end >= 0
          at = end
          break
        }
        case 'atomic': {
          const end = this.#run(next, at, 0)
          isGood = end >= 0
          at = end
          next = instruction.next
          break
        }
        case 'ahead':
          isGood = this.#run(next, at, 0) >= 0 !== instruction.isNegated
          next = instruction.next
          break
        case 'behind':
          isGood = this.#looksBehind(next, at, instruction) !== instruction.isNegated
          next = instruction.next
          break
        case 'endBehind':
        case 'end':
          isGood = instruction.op === 'end' || at === target
          if (isGood) {
            this.#depth = base
            return at
          }
      }
      if (isGood) continue
      // Goes back to the last choice.
      for (;;) {
        if (this.#depth === base) return -1
        const stack = this.#stack
        this.#depth -= CHOICE
        const top = this.#depth
        const kind = stack[top]! & 3
        const chosen = stack[top]! >> 2
        if (kind === RESTORE) {
          this.#registers[chosen] = stack[top + 1]!
          continue
        }
        if (kind === SPLIT) {
          next = chosen
          at = stack[top + 1]!
          break
        }
        const min = stack[top + 1]!
        at = before(text, stack[top + 2]!, min)
        if (at > min) this.#push(RUN, chosen, min, at)
        next = chosen + 1
        break
      }
    }
  }

  /** Whether a body matches a text that ends at an offset: the shortest one is tried first. */
  #looksBehind(
    body: number,
    at: number,
    { min, max }: Extract<BacktrackingInstruction, { op: 'behind' }>,
  ): boolean {
    const text = this.#text
    let from = at
    for (let width = 0; width <= max; width++) {
      if (width >= min && this.#run(body, from, at) >= 0) return true
      if (from === 0) return false
      this.#steps++
      from = before(text, from, 0)
    }
    return false
  }

  /** Where a group's text that comes again ends; −1: it does not. */
  #again(
    { group, ignoreCase, unicodeCase }: Extract<BacktrackingInstruction, { op: 'backReference' }>,
    at: number,
  ): number {
    const text = this.#text
    if (2 * group >= this.#firstRegister) return -1
    const start = this.#registers[2 * group]!
    const length = this.#registers[2 * group + 1]! - start
    if (start < 0 || at + length > text.length) return -1
    this.#steps += length
    const isSame = ignoreCase
      ? sameFolded(text, start, at, length, unicodeCase)
      : text.startsWith(text.slice(start, start + length), at)
    return isSame ? at + length : -1
  }

  /** Sets a register, whose value comes back when another way is tried. */
  #keep(register: number, value: number): void {
    this.#push(RESTORE, register, this.#registers[register]!, 0)
    this.#registers[register] = value
  }

  #push(kind: number, index: number, a: number, b: number): void {
    const at = this.#depth
    if (at + CHOICE > this.#stack.length) {
      if (2 * at > MAX_STACK) throw this.#tooLong()
      const longer = new Int32Array(2 * this.#stack.length)
      longer.set(this.#stack)
      this.#stack = longer
    }
    this.#stack[at] = (index << 2) | kind
    this.#stack[at + 1] = a
    this.#stack[at + 2] = b
    this.#depth = at + CHOICE
  }

  #tooLong(): IllegalArgumentError {
    return new IllegalArgumentError(
      `the pattern takes more than ${this.#maxSteps} steps on a text of ${this.#length} characters`,
    )
  }
}

/** The offset of the character before an offset; `min` bounds it. */
function before(text: string, at: number, min: number): number {
  const isPair =
    at - 2 >= min &&
    (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00 &&
    (text.charCodeAt(at - 2) & 0xfc00) === 0xd800
  return isPair ? at - 2 : at - 1
}
