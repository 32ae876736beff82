import type { MetadataStore } from '../metadata/metadata-store.ts'

/** The setting of an index that names the search pipeline of its searches. */
export const DEFAULT_PIPELINE_KEY = 'index.search.default_pipeline'

/** Knows whether any index names a search pipeline: where none does, searches need not look. */
export class DefaultPipelines {
  #version = -1
  #areNamed = false

  areNamed(metadata: MetadataStore): boolean {
    const { version } = metadata
    if (this.#version !== version) {
      this.#areNamed = false
      for (const { settings } of metadata.indices())
        if (settings.get(DEFAULT_PIPELINE_KEY) !== null) this.#areNamed = true
      this.#version = version
    }
    return this.#areNamed
  }
}
