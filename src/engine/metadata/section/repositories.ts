import { CorruptSegmentError } from '../../../util/errors.ts'
import type { RegisteredRepository } from '../../api/snapshots.ts'
import type { MetadataSection } from './metadata-section.ts'
import { readSettings, textAt, valueAt } from './stored-values.ts'

/** The snapshot repositories: `{"⟨name⟩": {"type": "fs", "settings": {"location": …}}}`. */
export const REPOSITORIES: MetadataSection<ReadonlyMap<string, RegisteredRepository>> = {
  name: 'repositories',
  version: 1,
  isRequired: true,
  empty: () => new Map(),
  upgrade: content => content,
  parse(content) {
    if (content.kind !== 'object')
      throw new CorruptSegmentError('state', 32, 'repositories by name', content.kind)
    return new Map(
      content.entries.map(({ key, value }) => [
        key,
        { type: textAt(value, 'type'), settings: readSettings(valueAt(value, 'settings')) },
      ]),
    )
  },
  print: repositories =>
    new Map(
      Array.from(repositories, ([name, { type, settings }]) => [
        name,
        { type, settings: new Map(settings.toMap()) },
      ]),
    ),
}
