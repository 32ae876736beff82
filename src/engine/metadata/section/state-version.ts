import type { MetadataSection } from './metadata-section.ts'
import { numberAt } from './stored-values.ts'

/**
 * The version of all metadata as of the change that wrote a file, `{"version": n}`, in the node's state and in
 * those of indices. The highest of them is that of the last change, so that versions rise over restarts.
 */
export const STATE_VERSION: MetadataSection<number> = {
  name: 'state_version',
  version: 1,
  isRequired: false,
  empty: () => 0,
  upgrade: content => content,
  parse: content => numberAt(content, 'version') ?? 0,
  print: version => ({ version }),
}
