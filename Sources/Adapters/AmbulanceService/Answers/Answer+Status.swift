extension HTTPResponse {
    var isSuccess: Bool { (200...299).contains(status) }

    /// What an answer that is no success means, and what to do. Nothing of its body: it may speak of persons.
    func failure(of endpoint: Endpoint) -> String {
        let answer = "\(endpoint.host) answers with HTTP \(status)"
        switch status {
        case 300...399:
            return "\(answer), a redirect, which is not followed; write the service's final address into url"
        case 401, 403:
            return
                "\(answer): it does not know the gateway or does not let it call; check the token or the client "
                + "certificate with the service"
        case 404, 405, 410:
            return "\(answer): nothing takes calls at this address; check url with the service"
        case 400, 415, 422:
            return "\(answer): it does not understand the call; check format and addresses with the service"
        case 413:
            return "\(answer): the call is too long for it; ask the service to take 64 KiB"
        case 408, 425, 429, 500...599:
            return "\(answer): it cannot take the call now"
        default:
            return "\(answer), expected 2xx; ask the service"
        }
    }
}
