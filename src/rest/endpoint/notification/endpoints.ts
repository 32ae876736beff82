/** The endpoints of notifications. */
import type { Endpoint } from '../../endpoint.ts'
import { channels, features } from './channels.ts'
import { createConfig, deleteConfigs, getConfig, listConfigs, updateConfig } from './configs.ts'
import { testNotification } from './test-notification.ts'

/** Configurations, channels, features, and test messages. */
export const NOTIFICATION_ENDPOINTS: readonly Endpoint[] = [
  features,
  channels,
  listConfigs,
  createConfig,
  getConfig,
  updateConfig,
  deleteConfigs,
  testNotification,
]
