/**
 * The documents of one source: nested objects are documents of their own. In the index they stand
 * in the order in which they close, so that each comes before the document around it and the whole
 * document comes last.
 *
 * Operations stay in one list in order of the source; runs of them belong to one document each.
 */

/** Consecutive operations of one document: those of `[from, to)`. */
interface OperationRun {
  /** Number of the document in the block, from 0. */
  readonly document: number
  readonly from: number
  readonly to: number
}

/** The documents of one source that has nested objects; each gets a number as it opens, the whole 0. */
export class NestedBlock {
  /** By number: full path of the nested object, empty for the whole document. */
  readonly #paths: string[] = ['']
  /** By number: the document around it. */
  readonly #parents: number[] = [-1]
  /** By number: its index in the block; −1 while it is open. */
  readonly #places: number[] = [-1]
  /** By number: its first run. */
  readonly #firstRuns: number[] = [0]
  // Runs: their first operations and the numbers of their documents.
  readonly #starts: number[] = [0]
  readonly #owners: number[] = [0]
  #current = 0
  #closedCount = 0

  /** Documents, the whole one included. */
  get documentCount(): number {
    return this.#paths.length
  }

  /** Number of the document that operations belong to now. */
  get current(): number {
    return this.#current
  }

  /** Number of the document around another. */
  parentOf(number: number): number {
    return this.#parents[number]!
  }

  /** Begins a nested document. @param count operations so far */
  open(path: string, count: number): void {
    this.#paths.push(path)
    this.#parents.push(this.#current)
    this.#places.push(-1)
    this.#firstRuns.push(this.#starts.length)
    this.switchTo(this.#paths.length - 1, count)
  }

  /** Ends the current document: operations belong to the one around it again. */
  close(count: number): void {
    this.#places[this.#current] = this.#closedCount++
    this.switchTo(this.#parents[this.#current]!, count)
  }

  /** Operations from `count` on belong to another document that is open. */
  switchTo(number: number, count: number): void {
    this.#current = number
    this.#starts.push(count)
    this.#owners.push(number)
  }

  /** Number of the innermost open document in which a field of that path lies. */
  scopeOf(path: string): number {
    let number = this.#current
    while (number > 0 && !path.startsWith(`${this.#paths[number]}.`))
      number = this.#parents[number]!
    return number
  }

  /** The operations of the current document so far. */
  ownRuns(count: number): OperationRun[] {
    const runs: OperationRun[] = []
    for (let run = this.#firstRuns[this.#current]!; run < this.#starts.length; run++)
      if (this.#owners[run] === this.#current) runs.push(this.#run(run, count))
    return runs
  }

  /** All runs in order of document, once all nested documents are closed. */
  runsInOrder(count: number): OperationRun[] {
    this.#places[0] = this.#closedCount
    const runs: OperationRun[] = []
    for (let run = 0; run < this.#starts.length; run++) {
      const each = this.#run(run, count)
      if (each.to > each.from) runs.push(each)
    }
    return runs.sort((a, b) => a.document - b.document || a.from - b.from)
  }

  /** Full paths of the nested documents, in order of document; the whole one has none. */
  pathsInOrder(): string[] {
    const paths = new Array<string>(this.documentCount - 1)
    for (let number = 1; number < this.documentCount; number++)
      paths[this.#places[number]!] = this.#paths[number]!
    return paths
  }

  #run(run: number, count: number): OperationRun {
    const to = run + 1 < this.#starts.length ? this.#starts[run + 1]! : count
    return { document: this.#places[this.#owners[run]!]!, from: this.#starts[run]!, to }
  }
}
