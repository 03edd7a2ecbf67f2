import NIOCore
import NIOHTTPTypes

/// Closes a connection that takes too much: bytes that are no request, such as a header that does not end; a request whose
/// body does not end in time, or goes on beyond all use; and a peer that does not read its answer. The server itself bounds
/// the time without a whole header.
///
/// Used on the event loop of its connection alone.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Time in which a peer can read that its bytes are no request. The server would wait for it to close.
    private static let refusal = Duration.milliseconds(500)

    private let limits: WebServer.Limits
    /// Bytes of the body of the present request.
    private var received = 0
    private var requestEnd: Scheduled<Void>?
    private var readerEnd: Scheduled<Void>?
    private var refusalEnd: Scheduled<Void>?

    init(_ limits: WebServer.Limits) { self.limits = limits }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            received = 0
            requestEnd?.cancel()
            requestEnd = close(context, after: limits.request)
        case .body(let bytes):
            received += bytes.readableBytes
            guard received <= limits.discardedBody else { return context.close(promise: nil) }
        case .end:
            requestEnd?.cancel()
            requestEnd = nil
        }
        context.fireChannelRead(data)
    }

    /// The decoder drops further bytes, and reports each read of them.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if refusalEnd == nil { refusalEnd = close(context, after: Self.refusal) }
        context.fireErrorCaught(error)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        readerEnd?.cancel()
        readerEnd = context.channel.isWritable ? nil : close(context, after: limits.reader)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    private func cancel() {
        for end in [requestEnd, readerEnd, refusalEnd] { end?.cancel() }
        (requestEnd, readerEnd, refusalEnd) = (nil, nil, nil)
    }

    private func close(_ context: ChannelHandlerContext, after limit: Duration) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
    }
}
