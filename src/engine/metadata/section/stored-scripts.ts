import { CorruptSegmentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { StoredScript } from '../../api/scripts.ts'
import type { MetadataSection } from './metadata-section.ts'
import { textAt, valueAt } from './stored-values.ts'

/** Stored scripts: `{"⟨id⟩": {"lang": …, "source": …, "options": {"⟨name⟩": …}}}`. */
export const STORED_SCRIPTS: MetadataSection<ReadonlyMap<string, StoredScript>> = {
  name: 'stored_scripts',
  version: 1,
  isRequired: true,
  empty: () => new Map(),
  upgrade: content => content,
  parse(content) {
    if (content.kind !== 'object')
      throw new CorruptSegmentError('state', 32, 'scripts by id', content.kind)
    return new Map(content.entries.map(({ key, value }) => [key, readStored(value)]))
  },
  print: scripts =>
    new Map(
      Array.from(scripts, ([id, { lang, source, options }]) => [
        id,
        { lang, source, options: new Map(options) },
      ]),
    ),
}

function readStored(node: JsonNode): StoredScript {
  const options = valueAt(node, 'options')
  if (options.kind !== 'object')
    throw new CorruptSegmentError('state', 32, 'options of a script', options.kind)
  return {
    lang: textAt(node, 'lang'),
    source: textAt(node, 'source'),
    options: new Map(options.entries.map(({ key }) => [key, textAt(options, key)])),
  }
}
