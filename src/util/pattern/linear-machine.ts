/**
 * Runs a pattern over text without backtracking (Pike's machine): all threads of the program
 * advance together, in order of preference, so a character costs at most one visit of each
 * instruction. The result is the one that Java's backtracking would find first.
 */
import { IllegalArgumentError } from '../errors.ts'
import { holds } from './assertions.ts'
import type { Instruction } from './linear-program.ts'
import type { Machine } from './machine.ts'

/** Max visits of instructions for one text, which bounds repeated look-ahead. */
const MAX_STEPS = 100_000_000

/** Finds matches of patterns that look neither around nor back. */
export class LinearMachine implements Machine {
  readonly #instructions: readonly Instruction[]
  readonly #slotCount: number
  readonly groups: Int32Array
  #text = ''
  #steps = 0
  // Threads at the current and the next character: instructions and their slots.
  #current: ThreadList
  #next: ThreadList
  /** Work stack of instructions that consume no character; entries below 0 restore a slot. */
  readonly #stack: number[] = []
  readonly #saved: number[] = []
  readonly #slots: Int32Array
  /** ASCII characters that can start a match; null when any can. */
  readonly #starts: Uint8Array | null

  constructor(instructions: readonly Instruction[], groupCount: number) {
    this.#instructions = instructions
    this.#slotCount = 2 * (groupCount + 1)
    this.groups = new Int32Array(this.#slotCount)
    this.#current = new ThreadList(instructions.length, this.#slotCount)
    this.#next = new ThreadList(instructions.length, this.#slotCount)
    this.#slots = new Int32Array(this.#slotCount)
    this.#starts = startsOf(instructions)
  }

  reset(text: string): void {
    this.#text = text
    this.#steps = 0
  }

  /** Steps are bounded by the length of each part. */
  resetPart(text: string): void {
    this.reset(text)
  }

  find(from: number): boolean {
    const text = this.#text
    const { groups } = this
    let current = this.#current
    let next = this.#next
    current.clear()
    let isFound = false
    const slots = this.#slots
    const starts = this.#starts
    for (let at = from; at <= text.length; ) {
      if (starts !== null && !isFound && current.count === 0) {
        let unit = 0
        while (at < text.length && (unit = text.charCodeAt(at)) < 0x80 && starts[unit] === 0) at++
        if (at === text.length) break
      }
      // A thread started here has the lowest preference, and none starts after a match.
      if (!isFound) {
        slots.fill(-1)
        this.#follow(current, 0, at, slots)
      }
      if (isFound && current.count === 0) break
      this.#steps += current.count
      if (this.#steps > MAX_STEPS)
        throw new IllegalArgumentError(
          `the pattern takes more than ${MAX_STEPS} steps on a text of ${text.length} characters`,
        )
      const point = at < text.length ? text.codePointAt(at)! : -1
      const behind = at + (point > 0xffff ? 2 : 1)
      next.clear()
      for (let i = 0; i < current.count; i++) {
        const instruction = this.#instructions[current.programAt[i]!]!
        if (instruction.op === 'match') {
          current.readSlots(i, groups)
          isFound = true
          // Threads of lower preference are dropped.
          break
        }
        if (instruction.op !== 'set' || point < 0) continue
        if (point < 0x80 ? instruction.ascii[point] === 1 : instruction.set(point)) {
          current.readSlots(i, slots)
          this.#follow(next, instruction.next, behind, slots)
        }
      }
      const swap = current
      current = next
      next = swap
      at = behind
    }
    return isFound
  }

  /** Adds a thread and all its successors without a character, in order of preference. */
  #follow(list: ThreadList, start: number, at: number, slots: Int32Array): void {
    const stack = this.#stack
    const saved = this.#saved
    stack.length = 0
    saved.length = 0
    stack.push(start)
    while (stack.length > 0) {
      const index = stack.pop()!
      if (index < 0) {
        // Restores a slot after a group's branch.
        slots[-1 - index] = saved.pop()!
        continue
      }
      if (!list.mark(index)) continue
      this.#steps++
      const instruction = this.#instructions[index]!
      switch (instruction.op) {
        case 'split':
          if (instruction.second !== instruction.first) stack.push(instruction.second)
          stack.push(instruction.first)
          break
        case 'save':
          saved.push(slots[instruction.slot]!)
          stack.push(-1 - instruction.slot)
          slots[instruction.slot] = at
          stack.push(instruction.next)
          break
        case 'assert':
          if (holds(instruction.kind, this.#text, at)) stack.push(instruction.next)
          break
        default:
          list.add(index, slots)
      }
    }
  }
}

/**
 * The ASCII characters that can start a match, from the instructions reachable without a character.
 */
function startsOf(instructions: readonly Instruction[]): Uint8Array | null {
  const starts = new Uint8Array(128)
  const seen = new Set<number>([0])
  for (const index of seen) {
    const instruction = instructions[index]!
    switch (instruction.op) {
      case 'split':
        seen.add(instruction.first)
        seen.add(instruction.second)
        break
      case 'save':
        seen.add(instruction.next)
        break
      case 'set':
        for (let b = 0; b < 128; b++) if (instruction.ascii[b] === 1) starts[b] = 1
        break
      default:
        return null
    }
  }
  return starts
}

/** Threads in order of preference, at most one for each instruction. */
class ThreadList {
  count = 0
  readonly programAt: Int32Array
  readonly #slots: Int32Array
  readonly #slotCount: number
  readonly #marks: Int32Array
  #generation = 0

  constructor(instructionCount: number, slotCount: number) {
    this.programAt = new Int32Array(instructionCount)
    this.#slots = new Int32Array(instructionCount * slotCount)
    this.#slotCount = slotCount
    this.#marks = new Int32Array(instructionCount)
  }

  clear(): void {
    this.count = 0
    if (++this.#generation === 0x7fffffff) {
      this.#marks.fill(0)
      this.#generation = 1
    }
  }

  /** True the first time in this generation. */
  mark(index: number): boolean {
    if (this.#marks[index] === this.#generation) return false
    this.#marks[index] = this.#generation
    return true
  }

  add(index: number, slots: Int32Array): void {
    this.programAt[this.count] = index
    const from = this.count * this.#slotCount
    for (let i = 0; i < this.#slotCount; i++) this.#slots[from + i] = slots[i]!
    this.count++
  }

  readSlots(thread: number, out: Int32Array): void {
    const from = thread * this.#slotCount
    for (let i = 0; i < this.#slotCount; i++) out[i] = this.#slots[from + i]!
  }
}
