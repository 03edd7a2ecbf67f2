import Glibc

/// Owner, group and mode of a file that may not be read. Blocking I/O.
enum FileAccess {
    /// Continues a message about a file that may not be read: `, as mode 600 of root:root says: chgrp …`.
    ///
    /// - Parameter group: of the account that has to read it.
    static func remedy(for path: String, group: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return ": this user may not enter a directory of the path; run this as root"
        }
        return ", as mode \(mode(status)) of \(owner(status)) says: chgrp \(group) \(path) && chmod 640 \(path)"
    }

    private static func mode(_ status: stat) -> String { String(status.st_mode & 0o777, radix: 8) }

    /// By name, as `ls -l` shows it.
    private static func owner(_ status: stat) -> String {
        let user = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(status.st_uid)"
        let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
        return "\(user):\(group)"
    }
}
