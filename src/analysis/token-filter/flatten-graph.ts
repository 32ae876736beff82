/**
 * Makes a token graph a chain: nodes at the same distance from the start, along the longest way to
 * them, become one. An index keeps no position lengths, so that a graph must be flat before it.
 */
import { TokenFilter, TokenState } from '../token-stream.ts'

/** A node of the graph that comes in: the tokens that leave it. */
class InputNode {
  readonly tokens: TokenState[] = []
  /** Whether a token arrives or leaves here. */
  isKnown = false
  /** The farthest and nearest node that its tokens go to. */
  maxTo = -1
  minTo = Number.MAX_SAFE_INTEGER
  /** The node of the chain that it falls on so far; only ever moved on. */
  output = -1
  nextOut = 0
}

/** A node of the chain that goes out: the nodes that fall on it. */
class OutputNode {
  readonly inputs: number[] = []
  isKnown = false
  nextOut = 0
  /** Of the tokens that leave, and that arrive; −1 before there are any. */
  startOffset = -1
  endOffset = -1
}

/** Nodes by number, without those that have been let go. */
class NodeList<T> {
  readonly #make: () => T
  #nodes: T[] = []
  #first = 0

  constructor(make: () => T) {
    this.#make = make
  }

  at(number: number): T {
    const index = Math.max(number - this.#first, 0)
    while (this.#nodes.length <= index) this.#nodes.push(this.#make())
    return this.#nodes[index]!
  }

  /** The highest number asked for. */
  get last(): number {
    return this.#first + this.#nodes.length - 1
  }

  letGoBefore(number: number): void {
    if (number <= this.#first) return
    this.#nodes.splice(0, number - this.#first)
    this.#first = number
  }

  clear(): void {
    this.#nodes = []
    this.#first = 0
  }
}

/** Flattens a token graph, so that an index can keep it. */
export class FlattenGraphFilter extends TokenFilter {
  readonly #inputs = new NodeList(() => new InputNode())
  readonly #outputs = new NodeList(() => new OutputNode())
  /** The node that the last token read leaves, and that of the chain whose tokens are given. */
  #inputFrom = -1
  #outputFrom = 0
  #lastOutputFrom = -1
  #lastStartOffset = 0
  readonly #end = new TokenState()
  #isDone = false

  next(): boolean {
    for (;;) {
      if (this.#give()) return true
      if (this.#isDone) return false
      if (this.input.next()) this.#take()
      else {
        this.input.end()
        this.#end.clear()
        this.#end.positionIncrement = this.token.positionIncrement
        this.#end.startOffset = this.token.endOffset
        this.#end.endOffset = this.token.endOffset
        this.#isDone = true
      }
    }
  }

  /** Gives a token of the chain's next node, if nothing to come can move where it goes to. */
  #give(): boolean {
    const { token } = this
    while (this.#outputFrom < this.#outputs.last) {
      const output = this.#outputs.at(this.#outputFrom)
      if (output.inputs.length === 0) {
        // A hole.
        this.#outputFrom++
        continue
      }
      if (!this.#isDone)
        for (const number of output.inputs)
          if (this.#inputs.at(number).maxTo > this.#inputFrom) return false
      const number = output.inputs[output.nextOut]!
      const input = this.#inputs.at(number)
      if (input.tokens.length === 0) {
        // Nothing leaves a node ahead of a hole.
        if (output.inputs.length > 1 && ++output.nextOut < output.inputs.length) continue
        this.#leave(output)
        continue
      }
      token.copyFrom(input.tokens[input.nextOut++]!)
      const to = this.#inputs.at(number + token.positionLength)
      token.positionIncrement = this.#outputFrom - this.#lastOutputFrom
      token.positionLength = to.output - this.#outputFrom
      this.#lastOutputFrom = this.#outputFrom
      // Offsets never go back, as they would where there are more words than before.
      token.startOffset = Math.max(this.#lastStartOffset, output.startOffset)
      token.endOffset = Math.max(token.startOffset, this.#outputs.at(to.output).endOffset)
      this.#lastStartOffset = token.startOffset
      if (input.nextOut === input.tokens.length && ++output.nextOut === output.inputs.length)
        this.#leave(output)
      return true
    }
    return false
  }

  #leave(output: OutputNode): void {
    this.#outputFrom++
    let first = Number.MAX_SAFE_INTEGER
    for (const number of output.inputs) first = Math.min(first, number)
    this.#inputs.letGoBefore(first)
    this.#outputs.letGoBefore(this.#outputFrom)
  }

  /** Keeps the token that was read and moves the nodes that it connects. */
  #take(): void {
    const { token } = this
    const { startOffset, endOffset, positionIncrement } = token
    this.#inputFrom += positionIncrement
    const inputTo = this.#inputFrom + token.positionLength
    const from = this.#inputs.at(this.#inputFrom)
    if (!from.isKnown) this.#cross(from, startOffset, positionIncrement)
    else {
      let output = this.#outputs.at(from.output)
      if (positionIncrement > 1) {
        const before = this.#inputs.at(this.#inputFrom - positionIncrement)
        // A hole at the end of a side path: no token has brought this node where it belongs.
        if (from.output - before.output <= 1 && before.minTo !== this.#inputFrom) {
          removeFrom(output.inputs, this.#inputFrom)
          from.output = -1
          const { endOffset: arrived } = output
          output = this.#cross(from, startOffset, positionIncrement)
          output.endOffset = arrived
        }
      }
      output.startOffset = Math.max(startOffset, output.startOffset)
    }
    from.tokens.push(token.clone())
    from.maxTo = Math.max(from.maxTo, inputTo)
    from.minTo = Math.min(from.minTo, inputTo)
    const to = this.#inputs.at(inputTo)
    to.isKnown = true
    const outputTo = from.output + 1
    if (outputTo > to.output) {
      if (to.output !== -1) removeFrom(this.#outputs.at(to.output).inputs, inputTo)
      this.#outputs.at(outputTo).inputs.push(inputTo)
      to.output = outputTo
    }
    const arrived = this.#outputs.at(to.output)
    if (arrived.endOffset === -1 || endOffset < arrived.endOffset) arrived.endOffset = endOffset
  }

  /** Finds a place for a node that no token arrives at, as there is a hole before it. */
  #cross(from: InputNode, startOffset: number, positionIncrement: number): OutputNode {
    from.isKnown = true
    const previous = this.#inputFrom - positionIncrement
    let index = this.#outputs.last + 1
    if (previous >= 0) {
      const { minTo } = this.#inputs.at(previous)
      // Next to where a way may lead, so that no node comes loose.
      index = minTo < this.#inputFrom ? this.#inputs.at(minTo).output + 1 : this.#outputs.last
    }
    const output = this.#outputs.at(index)
    from.output = index
    output.startOffset = output.isKnown ? Math.max(startOffset, output.startOffset) : startOffset
    output.isKnown = true
    output.inputs.push(this.#inputFrom)
    return output
  }

  override end(): void {
    if (this.#isDone) this.token.copyFrom(this.#end)
    else super.end()
  }

  override reset(): void {
    super.reset()
    this.#inputs.clear()
    this.#outputs.clear()
    const input = this.#inputs.at(0)
    input.isKnown = true
    input.output = 0
    const output = this.#outputs.at(0)
    output.isKnown = true
    output.inputs.push(0)
    output.startOffset = 0
    this.#inputFrom = -1
    this.#outputFrom = 0
    this.#lastOutputFrom = -1
    this.#lastStartOffset = 0
    this.#isDone = false
  }
}

function removeFrom(numbers: number[], number: number): void {
  const at = numbers.indexOf(number)
  if (at >= 0) numbers.splice(at, 1)
}
