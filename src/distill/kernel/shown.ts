/** What a fenced program sees of the system: programs, libraries, the zone of the clock; with the network what finds and proves a name. */

/** No words of a user lie there; the stores of Nix and Guix are readable for everybody by design. */
export const SYSTEM: readonly string[] = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/nix/store",
  "/gnu/store",
  "/etc/ld.so.cache",
  "/etc/ssl/openssl.cnf",
  "/etc/localtime",
];

/** Certificates one by one: private keys lie beside them. */
export const NETWORK: readonly string[] = [
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/host.conf",
  "/etc/nsswitch.conf",
  "/etc/gai.conf",
  "/etc/services",
  "/etc/ssl/certs",
  "/etc/ssl/cert.pem",
  "/etc/pki/tls/certs",
  "/etc/pki/tls/cert.pem",
  "/etc/pki/ca-trust/extracted",
  "/etc/ca-certificates/extracted",
];

export const DEVICES: readonly string[] = ["/dev/null", "/dev/urandom"];

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || folder === "/" || path.startsWith(`${folder}/`);

/** The hidden folders that a folder of the system would show. One that holds such a folder (a home that is `/`) hides nothing. */
export function toCover(hidden: readonly string[]): readonly string[] {
  return hidden.filter(
    (path) => SYSTEM.some((folder) => isBelow(path, folder)) && !SYSTEM.some((folder) => isBelow(folder, path)),
  );
}

/** Of the files that a program needs, those that no folder of the system shows. */
export function notShown(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter((path) => path.startsWith("/") && !SYSTEM.some((folder) => isBelow(path, folder)));
}
