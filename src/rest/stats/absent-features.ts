/**
 * Sections of the real server's statistics about features that there are none of here: remote stores,
 * copies of segments, warmers. Their counts are truly 0.
 */
import type { JsonRecord } from '../../util/json/json-value.ts'

const NO_BYTES: JsonRecord = { started_bytes: 0, succeeded_bytes: 0, failed_bytes: 0 }

/** `segments.remote_store`. */
export const NO_REMOTE_SEGMENTS: JsonRecord = {
  upload: {
    total_upload_size: NO_BYTES,
    refresh_size_lag: { total_bytes: 0, max_bytes: 0 },
    max_refresh_time_lag_in_millis: 0,
    total_time_spent_in_millis: 0,
    pressure: { total_rejections: 0 },
  },
  download: { total_download_size: NO_BYTES, total_time_spent_in_millis: 0 },
}

/** `segments.segment_replication`. */
export const NO_SEGMENT_REPLICATION: JsonRecord = {
  max_bytes_behind: 0,
  total_bytes_behind: 0,
  max_replication_lag: 0,
}

/** `translog.remote_store`. */
export const NO_REMOTE_TRANSLOG: JsonRecord = {
  upload: {
    total_uploads: { started: 0, failed: 0, succeeded: 0 },
    total_upload_size: { started_bytes: 0, failed_bytes: 0, succeeded_bytes: 0 },
  },
}

/** `merges.merged_segment_warmer`. */
export const NO_SEGMENT_WARMER: JsonRecord = {
  total_invocations_count: 0,
  total_time_millis: 0,
  total_failure_count: 0,
  total_bytes_sent: 0,
  total_bytes_received: 0,
  total_send_time_millis: 0,
  total_receive_time_millis: 0,
  ongoing_count: 0,
}
