import ControlLink
import ControlSocket
import GatewayModel
import Glibc
import RealTime

/// Socket of one source, with the programs that are connected to it. Used by one thread.
struct SourceSocket {
    private static let mostConnections = 8
    /// Interval between two attempts at a socket that cannot be made.
    private static let pause = Duration.seconds(10)

    let path: String
    private(set) var listener: Int32?
    private(set) var connections: [SourceConnection] = []
    /// Reason why there is no socket; nil where there is one.
    private(set) var failure: String?
    private var triedAt: BootInstant?

    init(path: String) { self.path = path }

    /// Listens, unless it does so already or has failed lately.
    mutating func open(at now: BootInstant) {
        guard listener == nil, triedAt.map({ $0.duration(to: now) >= Self.pause }) ?? true else { return }
        triedAt = now
        var status = stat()
        // Only a socket is ever replaced: the path may be a slip of the pen.
        guard lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFSOCK else {
            failure = "saw a file at \(path) that is no socket, expected none: remove it, or name another path"
            return
        }
        do {
            let descriptor = try UnixSocket.listen(at: path)
            UnixSocket.setNonBlocking(descriptor)
            (listener, failure) = (descriptor, nil)
        } catch {
            failure = "\(error)"
        }
    }

    mutating func accept(at now: BootInstant) {
        guard let listener else { return }
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else {
            // Out of descriptors, for one: not to be asked again thousands of times a second.
            if errno != EAGAIN, errno != EINTR { _ = Poll.wait([], timeout: .milliseconds(100)) }
            return
        }
        UnixSocket.setNonBlocking(descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if connections.count >= Self.mostConnections {
            // The one that was silent the longest gives way.
            let index = connections.indices.min { connections[$0].heard < connections[$1].heard }
            if let index { close(connections.remove(at: index).descriptor) }
        }
        connections.append(SourceConnection(descriptor: descriptor, at: now))
    }

    /// Changes each connection; those for which `body` returns false are closed.
    mutating func changeEach(_ body: (inout SourceConnection) -> Bool) {
        for index in connections.indices.reversed() {
            if !body(&connections[index]) { close(connections.remove(at: index).descriptor) }
        }
    }

    mutating func shut() {
        changeEach { _ in false }
        guard let listener else { return }
        close(listener)
        unlink(path)
        self.listener = nil
    }
}
