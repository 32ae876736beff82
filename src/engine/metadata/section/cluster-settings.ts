import { Settings } from '../../../schema/settings.ts'
import type { MetadataSection } from './metadata-section.ts'
import { readSettings, valueAt } from './stored-values.ts'

/** The persistent cluster settings, `{"persistent": …}`; transient ones end with the process. */
export const CLUSTER_SETTINGS: MetadataSection<Settings> = {
  name: 'cluster_settings',
  version: 1,
  isRequired: true,
  empty: () => Settings.EMPTY,
  // The body of before had the key among others.
  upgrade: content => content,
  parse: content => readSettings(valueAt(content, 'persistent')),
  print: settings => ({ persistent: new Map(settings.toMap()) }),
}
