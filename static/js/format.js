/** Numbers and dates the way people write them. Times are seconds, sizes bytes, dates epoch milliseconds. */

const MEGABYTE = 1024 * 1024;
const decimal = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** 3723 is "1:02:03", 63 is "1:03". */
export function clock(seconds) {
  const total = Math.max(0, Math.floor(seconds));
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(total / 3600), Math.floor(total / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(total % 60)}` : `${minutes}:${two(total % 60)}`;
}

export function megabytes(bytes) {
  if (bytes < MEGABYTE) return `${whole.format(Math.ceil(bytes / 1024))} KB`;
  const size = bytes / MEGABYTE;
  return `${(size < 10 ? decimal : whole).format(size)} MB`;
}

export const count = (number, one, many = `${one}s`) => `${exact.format(number)} ${number === 1 ? one : many}`;

/** A share from 0 to 1; it says 100 % only when it is complete. */
export const percent = (share) => `${Math.floor(share * 100 + 1e-6)} %`;

export const date = (ms) => new Date(ms).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

export const day = (ms) => new Date(ms).toLocaleDateString(undefined, { dateStyle: "medium" });

/** How long to wait, for a sentence: "40 seconds", "5 minutes", "3 hours". */
export function wait(seconds) {
  if (seconds < 90) return count(Math.ceil(seconds), "second");
  if (seconds < 90 * 60) return count(Math.ceil(seconds / 60), "minute");
  return count(Math.ceil(seconds / 3600), "hour");
}

/** The English name of a BCP-47 language, or the code itself when it is unknown. */
export function language(code) {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(code);
  } catch {
    return code;
  }
}
