import Foundation
import Synchronization
import Web

/// Server of `make bench-web`: `/events` is a stream, and every other path is a page of 8 KB. The cookie `paired` is that of a
/// paired device.
///
///     WebBench
///
/// Prints its address. Each line of the standard input is an event that all streams get; its end ends the server.
@main
enum WebBench {
    static func main() throws {
        let streams = Mutex<[WebSubscription]>([])
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: 8_192)
        var limits = WebServer.Limits()
        limits.perAddress = 0
        let server = try WebServer(addresses: ["127.0.0.1:0"], identity: nil, limits: limits) { request in
            guard request.path == "/events" else {
                var reply = WebReply(status: 200, headers: [("Content-Type", "text/html")], body: .bytes(page))
                reply.isForPairedDevice = request.cookie == "paired"
                return reply
            }
            let stream = WebSubscription()
            streams.withLock { $0.append(stream) }
            return WebReply(
                status: 200, headers: [("Content-Type", "text/event-stream")], body: .events(stream))
        }
        print(server.addresses[0])
        fflush(nil)
        while let line = readLine() {
            let event = Array("data: \(line)\n\n".utf8)
            streams.withLock { streams in
                streams.removeAll(where: \.isClosed)
                for stream in streams { stream.send(event) }
            }
        }
        server.stop()
    }
}
