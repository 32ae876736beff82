import type { SearchProcessorType } from './search-processor.ts'

/** The types of one kind of processor. */
export class ProcessorTable<Step> {
  /** In order. */
  readonly names: readonly string[]
  readonly #types: ReadonlyMap<string, SearchProcessorType<Step>>

  constructor(types: readonly SearchProcessorType<Step>[]) {
    this.#types = new Map(types.map(type => [type.name, type]))
    this.names = [...this.#types.keys()].sort()
  }

  /** A type by its name; null: there is none. */
  find(name: string): SearchProcessorType<Step> | null {
    return this.#types.get(name) ?? null
  }
}
