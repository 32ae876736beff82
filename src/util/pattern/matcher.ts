import type { Machine } from './machine.ts'
import type { Program } from './pattern-program.ts'

/** Finds matches in texts, one text at a time, by the machine that its pattern needs. */
export class Matcher implements Machine {
  readonly #machine: Machine
  readonly groups: Int32Array

  constructor(program: Program) {
    this.#machine = program.makeMachine()
    this.groups = this.#machine.groups
  }

  reset(text: string): void {
    this.#machine.reset(text)
  }

  resetPart(text: string): void {
    this.#machine.resetPart(text)
  }

  find(from: number): boolean {
    return this.#machine.find(from)
  }
}
