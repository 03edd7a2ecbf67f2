import GatewayModel
import Glibc

/// Reason for which a backup cannot be made or restored, with the remedy.
package struct BackupFault: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// Throws for a backup of a later version, or of none that can be read.
    static func check(
        _ made: String, of backup: String, for version: ProductVersion
    ) throws(BackupFault) {
        guard let known = ProductVersion(made), known <= version else {
            throw BackupFault(
                "\(backup) was made by homegateway \(made), and this is \(version): install \(made) or later, then restore. Nothing was changed"
            )
        }
    }

    /// A system call that failed, by `errno`.
    init(_ doing: String, _ path: String, _ remedy: String? = nil) {
        let number = errno
        let standard: String? =
            switch number {
            case EACCES, EPERM: "use sudo"
            case ENOSPC, EDQUOT: "make room on the disk, see df"
            case EROFS: "the file system can only be read: choose another place, or mount it for writing"
            default: nil
            }
        let advice = (remedy ?? standard).map { "; \($0)" } ?? ""
        description = "\(doing) \(path): \(String(cString: strerror(number)))\(advice)"
    }
}
