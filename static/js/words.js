/** The service's codes in words for a reader. A code that is missing here shows the service's own message. */

/** Steps in the order they run. */
export const STAGES = {
  resolve: "Looking at the source",
  download: "Fetching the media",
  extract: "Taking out the sound",
  transcribe: "Writing down what is said",
  visual: "Looking at the picture",
  synthesize: "Writing summary and chapters",
};

export const MODES = { auto: "Auto", captions: "Captions", audio: "Listen", visual: "Watch", full: "Listen and watch" };

/** A mode's older name stands in lists as it was asked for. */
export const MODE_ALIASES = { listen: MODES.audio, watch: MODES.visual, both: MODES.full };

export const STATUSES = {
  queued: "Waiting",
  running: "Running",
  succeeded: "Done",
  failed: "Failed",
  canceled: "Canceled",
};

export const PLANS = { free: "Free", pro: "Pro", lifetime: "Lifetime" };

export const SCOPES = { all: "Everything", mcp: "MCP and reading", read: "Only reading" };

export const ORIGINS = {
  "captions-manual": "Captions made by people",
  "captions-auto": "The site’s automatic captions",
  asr: "Speech to text",
  "llm-audio": "Written by a model that listened",
  "llm-url": "Written by a model that read the link",
};

/** What to do about a refusal that comes without a hint of its own. */
export const HINTS = {
  anonymous_limit: "The free use for today is spent. It starts anew at midnight UTC.",
  body_too_large: "Send a smaller file: the sound alone is often enough.",
  busy: "Try again in a while.",
  rate_limited: "Wait a moment, then try again.",
  too_many_in_flight: "Wait until the running job is done, or cancel it.",
  too_many_uploads: "Use the files already uploaded, or wait until they expire.",
  unsupported_media: "Choose an audio or video file, such as MP4, MP3 or WAV.",
  upload_expired: "Choose the file again.",
  upload_not_found: "Choose the file again.",
};
