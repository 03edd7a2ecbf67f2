import Glibc

/// The folders of gammu-smsd's FILES service, as its configuration names them.
struct GammuFolders: Hashable, Sendable {
    let outbox: String
    let sent: String
    let error: String

    /// Where the file of a text has got to.
    enum Place: Hashable { case outbox, sent, error, nowhere }

    func place(of file: String) -> Place {
        func isIn(_ folder: String) -> Bool { access("\(folder)/\(file)", F_OK) == 0 }
        // In this order: the daemon moves it on while we look.
        if isIn(outbox) { return .outbox }
        if isIn(sent) { return .sent }
        return isIn(error) ? .error : .nowhere
    }

    /// What keeps texts from being handed to the daemon, or their end from being seen; nil if nothing does.
    var problem: String? {
        for folder in [outbox, sent, error] where access(folder, W_OK | X_OK) != 0 {
            let seen = String(cString: strerror(errno))
            return
                "\(folder): \(seen); install gammu-smsd, set its folders as in docs/channels/sms.md, and let the "
                + "gateway's account write there: it has to be in their group"
        }
        return nil
    }

    /// The oldest file that waits, in seconds; nil where none does.
    func oldestWaiting(now: Int) -> Int? {
        names(in: outbox).filter { $0.lowercased().hasPrefix("out") }.compactMap { name in
            var status = stat()
            guard stat("\(outbox)/\(name)", &status) == 0 else { return nil }
            return now - Int(status.st_mtim.tv_sec)
        }.max()
    }

    func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }
}
