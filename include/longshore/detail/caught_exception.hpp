// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_CAUGHT_EXCEPTION_HPP
#define LONGSHORE_DETAIL_CAUGHT_EXCEPTION_HPP

#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>

#if defined(__GNUC__)
#include <cxxabi.h>
#endif

namespace longshore::inline v0::detail {

// A type as its source names it, where the platform can tell.
inline std::string type_name(std::type_info const& type) {
#if defined(__GNUC__)
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> const name{
        abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), [](void* text) { std::free(text); }};
    if (status == 0 && name) return name.get();
#endif
    return type.name();
}

// The exception that is being handled: `std::out_of_range: no such key`.
inline std::string caught_exception_text() {
    try {
        throw;
    } catch (std::exception const& error) {
        return type_name(typeid(error)) + ": " + error.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

// Calls `call`, and `on_exception` inside a handler for whatever it throws. The unwinding of a cancelled
// thread is no exception: who stops it ends the program.
template <typename Call, typename OnException>
auto catching(Call&& call, OnException&& on_exception) -> decltype(call()) {
    try {
        return std::forward<Call>(call)();
    }
#if defined(__GLIBCXX__)
    catch (abi::__forced_unwind const&) {
        throw;
    }
#endif
    catch (...) {
        return std::forward<OnException>(on_exception)();
    }
}

} // namespace longshore::inline v0::detail

#endif
