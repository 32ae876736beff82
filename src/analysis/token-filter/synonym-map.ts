/** Synonym rules as a tree of words: what a run of words may be replaced by, or get beside it. */

/** The rules' entry for one run of words. */
export interface SynonymEntry {
  /** Runs of words to put in, each once, in the order of the rules. */
  readonly outputs: (readonly string[])[]
  /** The same, joined. */
  readonly known: Set<string>
  /** Whether the words themselves stay. */
  keepsOriginal: boolean
}

/** A place in the tree. */
export interface SynonymNode {
  readonly next: Map<string, SynonymNode>
  entry: SynonymEntry | null
}

/** All rules of a filter. */
export class SynonymMap {
  readonly root: SynonymNode = { next: new Map(), entry: null }
  /** Words of the longest side of a rule. */
  longest = 0

  /** @param output also one or more words */
  add(input: readonly string[], output: readonly string[], keepsOriginal: boolean): void {
    let node = this.root
    for (const word of input) {
      let next = node.next.get(word)
      if (next === undefined) node.next.set(word, (next = { next: new Map(), entry: null }))
      node = next
    }
    node.entry ??= { outputs: [], known: new Set(), keepsOriginal: false }
    const { outputs, known } = node.entry
    const key = output.join('\0')
    if (!known.has(key)) outputs.push(output)
    known.add(key)
    node.entry.keepsOriginal ||= keepsOriginal
    this.longest = Math.max(this.longest, input.length, output.length)
  }

  get isEmpty(): boolean {
    return this.root.next.size === 0
  }
}
